import { CopyButton } from "./copy-button";

/** Takes what is on the page elsewhere: its address with filter and time zone, and the facts as JSON. @param value what the page shows */
export function CopyView({ value }: { readonly value: unknown }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <CopyButton text={() => window.location.href} what="link">
        Copy link
      </CopyButton>
      <CopyButton text={() => JSON.stringify(value, null, 2)} what="JSON">
        Copy JSON
      </CopyButton>
    </span>
  );
}
