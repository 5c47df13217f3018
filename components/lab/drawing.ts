/** A colour of the page by its name, a token by its hue, or the hatching of an overlap. */
export type Paint = "ink" | "mute" | "line" | "ok" | "risk" | "bad" | "hatch" | number;

/** One mark of a drawing, in its own units. */
export type Shape =
  | {
      readonly kind: "line";
      readonly x1: number;
      readonly x2: number;
      readonly y1: number;
      readonly y2: number;
      readonly stroke: Paint;
      readonly width: number;
      readonly dash?: string;
    }
  | {
      readonly kind: "rect";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: Paint;
      readonly stroke: Paint;
      readonly opacity?: number;
    }
  | {
      readonly kind: "text";
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly fill: Paint;
      readonly isBold?: true;
      readonly isCentred?: true;
    };

/** A picture as plain data, so that the page and an exported file show the same one. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly summary: string;
  readonly shapes: readonly Shape[];
}
