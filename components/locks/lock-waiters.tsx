import type { LockDetail } from "@/lib/contract";

/** Entries of the queue that are listed; the rest is counted. */
const LISTED_MAX = 10;

/** Who waits for the lock, where its client leaves a trace of them; elsewhere that nothing can be seen. */
export function LockWaiters({ waiters }: { readonly waiters: LockDetail["waiters"] }) {
  const { visible, count, order, note } = waiters;
  if (!visible || count === null) return <span className="text-mute">{note}</span>;
  const listed = order?.slice(0, LISTED_MAX) ?? [];
  return (
    <>
      <p>
        {count.toLocaleString("en-US")} <span className="text-mute">seen</span>
      </p>
      {listed.length > 0 && (
        <ol aria-label="Waiters in line" className="list-decimal pl-5">
          {listed.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
      )}
      {count > listed.length && listed.length > 0 && <p className="text-mute">and {count - listed.length} more</p>}
      <p className="text-mute">{note}</p>
    </>
  );
}
