import { notFound } from "@/lib/http";

// Every path of the API that does not exist: an envelope instead of a page.
export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };
