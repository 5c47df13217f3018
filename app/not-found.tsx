import Link from "next/link";

export default function NotFound() {
  return (
    <div className="grid gap-2 rounded-xl border border-line bg-panel p-6">
      <h1 className="font-semibold text-[20px]">There is no such page</h1>
      <p className="text-mute">A lock that is free has a page all the same: search for its exact name.</p>
      <Link href="/locks" className="font-semibold text-accent underline-offset-4 hover:underline">
        To the locks
      </Link>
    </div>
  );
}
