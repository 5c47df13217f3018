import type { Drawing, Paint, Shape } from "./drawing";

/** A drawing in the colours of the page. */
export function DrawingView({ drawing }: { readonly drawing: Drawing }) {
  const { width, height, summary, shapes } = drawing;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary} className="block w-full min-w-[680px]">
      <defs>
        <pattern id="lab-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.5" height="6" fill="var(--bad)" />
        </pattern>
      </defs>
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no identity of their own and keep no state
        <Mark key={index} shape={shape} />
      ))}
    </svg>
  );
}

function Mark({ shape }: { readonly shape: Shape }) {
  switch (shape.kind) {
    case "line": {
      const { x1, x2, y1, y2, stroke, width, dash } = shape;
      return <line {...{ x1, x2, y1, y2 }} stroke={paintOf(stroke)} strokeWidth={width} strokeDasharray={dash} />;
    }
    case "rect": {
      const { x, y, width, height, fill, stroke, opacity } = shape;
      return (
        <rect {...{ x, y, width, height }} rx={3} fill={paintOf(fill)} fillOpacity={opacity} stroke={paintOf(stroke)} />
      );
    }
    case "text": {
      const { x, y, size, fill, text, isBold = false, isCentred = false } = shape;
      const anchor = isCentred ? "middle" : "start";
      const weight = isBold ? 600 : undefined;
      return (
        <text {...{ x, y }} fontSize={size} fontWeight={weight} textAnchor={anchor} fill={paintOf(fill)}>
          {text}
        </text>
      );
    }
    default:
      return shape satisfies never;
  }
}

function paintOf(paint: Paint): string {
  if (typeof paint === "number") return `oklch(var(--token-lightness) var(--token-chroma) ${paint})`;
  return paint === "hatch" ? "url(#lab-hatch)" : `var(--${paint})`;
}
