import { crc32, deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { animatedPng } from "../support/animated-png.mjs";

interface Part {
  readonly type: string;
  readonly data: Buffer;
}

function partsOf(png: Buffer): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    parts.push({ type: body.toString("latin1", 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return parts;
}

function bytes(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    buffer.writeUInt32BE(value, 4 * index);
  });
  return buffer;
}

/** One grey line of so many pixels, in a file of two data parts. */
function greyPng(width: number, grey: number): Buffer {
  const part = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    return Buffer.concat([bytes(data.length), body, bytes(crc32(body))]);
  };
  const pixels = deflateSync(Buffer.from([0, ...Array<number>(width).fill(grey)]));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    part("IHDR", Buffer.concat([bytes(width, 1), Buffer.from([8, 0, 0, 0, 0])])),
    part("IDAT", pixels.subarray(0, 4)),
    part("IDAT", pixels.subarray(4)),
    part("IEND", Buffer.alloc(0)),
  ]);
}

test("keeps the data of every frame, numbered in order, with its time", () => {
  const parts = partsOf(
    animatedPng([
      { png: greyPng(3, 10), holdMs: 900 },
      { png: greyPng(3, 200), holdMs: 2600 },
    ]),
  );
  const types = ["IHDR", "acTL", "fcTL", "IDAT", "IDAT", "fcTL", "fdAT", "fdAT", "IEND"];
  expect(parts.map(({ type }) => type)).toEqual(types);
  expect(parts[1]?.data).toEqual(bytes(2, 0));
  const numbered = parts.filter(({ type }) => type === "fcTL" || type === "fdAT");
  expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([0, 1, 2, 3]);
  const controls = parts.filter(({ type }) => type === "fcTL");
  expect(controls.map(({ data }) => [data.readUInt32BE(4), data.readUInt16BE(20), data.readUInt16BE(22)])).toEqual([
    [3, 900, 1000],
    [3, 2600, 1000],
  ]);
  const second = Buffer.concat(parts.filter(({ type }) => type === "fdAT").map(({ data }) => data.subarray(4)));
  expect([...inflateSync(second)]).toEqual([0, 200, 200, 200]);
});

test("refuses frames that do not fit together, and none at all", () => {
  const frames = [
    { png: greyPng(3, 10), holdMs: 100 },
    { png: greyPng(4, 10), holdMs: 100 },
  ];
  expect(() => animatedPng(frames)).toThrow("frame 1");
  expect(() => animatedPng([])).toThrow(RangeError);
});
