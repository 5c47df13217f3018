"use client";

// The border between server and browser: pages hand plain data to this one, the hooks below it find it.
export { FirstValues } from "@/lib/client";
