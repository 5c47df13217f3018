import type { ExportedFile } from "@/lib/client";

const REVOKE_AFTER_MS = 10_000;

/** Lets the browser save a file that was made in the page. */
export function download({ name, type, text }: ExportedFile): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
