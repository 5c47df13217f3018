import { bytesOf } from "./bytes";
import type { Layout } from "./layout";
import { compareAndDelete, refused } from "./release";
import { isoTime } from "./times";

const PREFIX = "syncguard:";

/** What a syncguard value says, as far as it matters here. */
interface Content {
  readonly lockId: string;
  readonly acquiredAtMs: number | null;
  readonly fence: string | null;
}

/** syncguard: a JSON value, and an index from the lock's id to its key. The fence counter beside them is never touched. */
export const syncguard: Layout = {
  id: "syncguard",
  type: "string",
  isOneServer: true,
  identify({ key, value }) {
    if (!key.startsWith(PREFIX)) return null;
    const content = value === null ? null : contentOf(value);
    return {
      recognition: {
        id: "syncguard",
        label: "syncguard",
        confidence: content === null ? "possible" : "certain",
        holderLabel: content === null ? null : labelOf(content),
      },
      // An extension rewrites the value, the id stays.
      owner: content?.lockId ?? value,
      // Its scripts decode the value: anything but JSON would make them fail.
      isRevocable: false,
      release() {
        if (value === null) return refused("Its value is too long to be compared.");
        const index = content === null ? [] : [`${PREFIX}id:${bytesOf(content.lockId)}`];
        return compareAndDelete(
          key,
          value,
          index.map((own) => ({ kind: "delete", key: own })),
        );
      },
    };
  },
};

function contentOf(value: string): Content | null {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed !== "object" || parsed === null || !("lockId" in parsed)) return null;
    const { lockId, acquiredAtMs, fence } = parsed as Readonly<Record<string, unknown>>;
    if (typeof lockId !== "string") return null;
    return {
      lockId,
      acquiredAtMs: typeof acquiredAtMs === "number" ? acquiredAtMs : null,
      fence: typeof fence === "string" || typeof fence === "number" ? String(fence) : null,
    };
  } catch {
    return null; // not JSON: some other client's value under this prefix
  }
}

function labelOf({ acquiredAtMs, fence }: Content): string | null {
  const parts = [
    ...(acquiredAtMs === null ? [] : [`since ${isoTime(acquiredAtMs)}`]),
    ...(fence === null ? [] : [`fence ${fence}`]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
