/** The console cannot start, and its operator can do something about it: the message is all there is to show. */
export class BootError extends Error {
  override readonly name = "BootError";
}
