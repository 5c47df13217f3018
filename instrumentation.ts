/** Called by Next once, when the server starts: the nodes are ready before the first request. */
export async function register(): Promise<void> {
  // The positive form matters: with an early return Next would compile the runtime for its edge environment too.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { boot } = await import("@/lib/runtime");
    await boot();
  }
}
