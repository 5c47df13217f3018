import type { Drawing, Paint, Shape } from "./drawing";

const MARGIN = 16;
const LINE = 20;

/** Those of the light page: a file is mostly printed, or pasted into a white document. */
const COLOURS: Readonly<Record<Exclude<Paint, number | "hatch">, string>> = {
  ink: "#161a21",
  mute: "#565f6c",
  line: "#dfe3e9",
  ok: "#0a6f54",
  risk: "#8f5100",
  bad: "#b3261e",
};
const TOKEN_LIGHTNESS = 0.56;
const TOKEN_CHROMA = 0.15;

const HATCH =
  '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2.5" height="6" fill="#b3261e"/></pattern>';

/**
 * A drawing as an SVG file that needs nothing else: colours are written out, since few programs but browsers know OKLCH or
 * variables.
 *
 * @param heading lines above the picture
 */
export function svgText({ width, height, summary, shapes }: Drawing, heading: readonly string[]): string {
  const top = MARGIN + LINE * heading.length + (heading.length > 0 ? MARGIN / 2 : 0);
  const [wholeWidth, wholeHeight] = [width + 2 * MARGIN, top + height + MARGIN];
  const lines = heading.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${MARGIN + LINE * index + 12}" font-size="14" font-weight="${index === 0 ? 700 : 400}" fill="${COLOURS.ink}">${escaped(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wholeWidth} ${wholeHeight}" width="${wholeWidth}" height="${wholeHeight}" font-family="sans-serif" role="img">`,
    `<title>${escaped(summary)}</title>`,
    `<defs>${HATCH}</defs>`,
    `<rect width="${wholeWidth}" height="${wholeHeight}" fill="#ffffff"/>`,
    ...lines,
    `<g transform="translate(${MARGIN} ${top})">`,
    ...shapes.map(markText),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function markText(shape: Shape): string {
  switch (shape.kind) {
    case "line": {
      const { x1, x2, y1, y2, stroke, width, dash } = shape;
      return tag("line", { x1, x2, y1, y2, stroke: colourOf(stroke), "stroke-width": width, "stroke-dasharray": dash });
    }
    case "rect": {
      const { x, y, width, height, fill, stroke, opacity } = shape;
      const colours = { fill: colourOf(fill), stroke: colourOf(stroke), "fill-opacity": opacity };
      return tag("rect", { x, y, width, height, rx: 3, ...colours });
    }
    case "text": {
      const { x, y, size, fill, text, isBold, isCentred } = shape;
      const anchor = isCentred === true ? "middle" : undefined;
      const weight = isBold === true ? 600 : undefined;
      const attributes = {
        x,
        y,
        "font-size": size,
        "font-weight": weight,
        "text-anchor": anchor,
        fill: colourOf(fill),
      };
      return tag("text", attributes, escaped(text));
    }
    default:
      return shape satisfies never;
  }
}

function tag(name: string, attributes: Readonly<Record<string, string | number | undefined>>, content = ""): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}="${typeof value === "number" ? Number(value.toFixed(2)) : value}"`);
  return `<${name} ${written.join(" ")}>${content}</${name}>`;
}

function colourOf(paint: Paint): string {
  if (typeof paint === "number") return hexOfHue(paint);
  return paint === "hatch" ? "url(#hatch)" : COLOURS[paint];
}

/** The colour of a token. Source: Björn Ottosson, "A perceptual color space for image processing". @param hue degrees of OKLCH */
export function hexOfHue(hue: number): string {
  const [a, b] = [TOKEN_CHROMA * Math.cos((hue * Math.PI) / 180), TOKEN_CHROMA * Math.sin((hue * Math.PI) / 180)];
  const l = (TOKEN_LIGHTNESS + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (TOKEN_LIGHTNESS - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (TOKEN_LIGHTNESS - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map(hexOfChannel).join("")}`;
}

function hexOfChannel(linear: number): string {
  const light = Math.min(1, Math.max(0, linear));
  const encoded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
