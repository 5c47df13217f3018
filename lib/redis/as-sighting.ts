import type { Sighting } from "@/lib/layouts";
import type { KeyReading } from "./master";

/** A reading as the layouts see it: bytes as text, one character per byte. */
export function asSighting({ resource, type, value, elements, remainingMs }: KeyReading): Sighting {
  return {
    key: resource,
    type,
    value: value?.toString("latin1") ?? null,
    elements:
      elements === null ? null : { size: elements.size, words: elements.words.map((word) => word.toString("latin1")) },
    hasExpiry: remainingMs !== null,
  };
}
