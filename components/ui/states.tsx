import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** @param what names what is being loaded, for example "locks" */
export function LoadingState({ what }: { readonly what: string }) {
  return (
    <div role="status" aria-label={`Loading ${what}`} className="rounded-xl border border-line bg-panel p-5">
      <p className="text-mute">Loading {what}…</p>
      <div aria-hidden className="mt-4 grid gap-3">
        <div className="h-3 w-11/12 animate-pulse rounded bg-track" />
        <div className="h-3 w-9/12 animate-pulse rounded bg-track" />
        <div className="h-3 w-10/12 animate-pulse rounded bg-track" />
      </div>
    </div>
  );
}

/** A request failed and there is nothing older to show. */
export function FailedState({
  error,
  children,
}: {
  readonly error: { readonly message: string; readonly nextStep: string; readonly requestId: string | null };
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="rounded-xl border border-bad bg-bad-soft p-5">
      <p className="flex items-center gap-2 font-semibold text-bad">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {error.message}
      </p>
      <p className="mt-1">{error.nextStep}</p>
      {error.requestId !== null && <p className="mt-1 text-[13px] text-mute">Request {error.requestId}</p>}
      {children}
    </div>
  );
}

/** Nothing here, and why, and what to do about it. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
}: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      {icon !== undefined && <div className="mb-1 text-mute [&_svg]:size-7">{icon}</div>}
      <p className="font-semibold text-[16px]">{title}</p>
      <div className="max-w-prose text-mute">{children}</div>
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
