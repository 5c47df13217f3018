/** One thing that goes wrong. Node and client numbers wrap around. */
export type WorldFault =
  | { readonly kind: "hang" | "crash" | "lose"; readonly node: number; readonly at: number; readonly forMs: number }
  | {
      readonly kind: "hole";
      readonly node: number;
      readonly client: number;
      readonly at: number;
      readonly forMs: number;
    }
  | { readonly kind: "reset"; readonly node: number; readonly client: number; readonly at: number }
  | {
      readonly kind: "slow";
      readonly node: number;
      readonly client: number;
      readonly at: number;
      readonly forMs: number;
      readonly byMs: number;
    }
  | { readonly kind: "pause"; readonly client: number; readonly at: number; readonly forMs: number }
  | { readonly kind: "forget" | "flush"; readonly node: number; readonly at: number }
  /** Sets the node's clock: outside the model of Redlock, but fences must bear it. */
  | { readonly kind: "step"; readonly node: number; readonly at: number; readonly byMs: number }
  /** Loses the keys of a running node past the restart guard: to see that the checker sees. */
  | { readonly kind: "wipe"; readonly node: number; readonly at: number };
