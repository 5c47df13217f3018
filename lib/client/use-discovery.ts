import useSWR from "swr";
import type { DiscoveryAnswer } from "@/lib/contract";
import { type ApiError, asApiError } from "./api-error";
import { keys } from "./keys";
import { request } from "./request";

/** Nodes are sampled for some seconds before there is an answer, time limits of ten seconds at most included. */
const EXTRA_TIMEOUT_MS = 30_000;

interface Sampling {
  /** Null before the first answer. Stays until there is a newer one, also when a later sampling fails. */
  readonly answer: DiscoveryAnswer | null;
  readonly isRunning: boolean;
  /** Why the last sampling failed; null when it did not. */
  readonly error: ApiError | null;
}

/** What is known of a sampling. */
export interface DiscoveryState extends Sampling {
  /** Samples the nodes. */
  sample(): void;
}

const NOTHING: Sampling = { answer: null, isRunning: false, error: null };

/** The last sampling of this tab, whatever page it was looked at since. Nothing is sampled unasked: it is work for the nodes. */
export function useDiscovery(): DiscoveryState {
  // Without a fetcher: the cache keeps what is known, and only the button asks.
  const { data = NOTHING, mutate } = useSWR<Sampling>(keys.discovery, null);
  const know = (change: Partial<Sampling>) =>
    void mutate((known = NOTHING) => ({ ...known, ...change }), { revalidate: false });
  const sample = async () => {
    know({ isRunning: true, error: null });
    try {
      const answer = await request<DiscoveryAnswer>(keys.discovery, { extraTimeoutMs: EXTRA_TIMEOUT_MS });
      know({ answer, isRunning: false });
    } catch (cause) {
      know({ isRunning: false, error: asApiError(cause) });
    }
  };
  return { ...data, sample: () => void sample() };
}
