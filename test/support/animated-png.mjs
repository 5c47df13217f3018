// Puts pictures of one size behind each other in a file that browsers play: an animated PNG, which needs no encoder, since its
// frames are the pictures' own compressed data. Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)".

import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TYPE_AT = 4;
const DATA_AT = 8;
const CRC_BYTES = 4;

/**
 * @param {readonly { png: Buffer, holdMs: number }[]} frames PNG files of one size and colour type, and how long each is shown
 * @returns {Buffer} plays for ever; a program that knows no animation shows the first frame
 * @throws {RangeError} when there is none, or when one differs from the first
 */
export function animatedPng(frames) {
  const [first] = frames;
  if (first === undefined) throw new RangeError("an animation needs a frame, got none");
  const header = partsOf(first.png, "IHDR")[0] ?? Buffer.alloc(0);
  const parts = [SIGNATURE, chunk("IHDR", header), chunk("acTL", words(frames.length, 0))];
  let sequence = 0;
  for (const [index, { png, holdMs }] of frames.entries()) {
    if (!(partsOf(png, "IHDR")[0] ?? Buffer.alloc(0)).equals(header)) {
      throw new RangeError(`frame ${index} is not of the size and colour type of the first`);
    }
    parts.push(chunk("fcTL", frameControl(sequence, header, holdMs)));
    sequence += 1;
    for (const data of partsOf(png, "IDAT")) {
      if (index === 0) parts.push(chunk("IDAT", data));
      else {
        parts.push(chunk("fdAT", Buffer.concat([words(sequence), data])));
        sequence += 1;
      }
    }
  }
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
}

/** The whole picture, at its corner, for so many thousandths of a second; it takes the place of what was there. */
function frameControl(sequence, header, holdMs) {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(holdMs, 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([words(sequence), header.subarray(0, 8), words(0, 0), delay]);
}

/** Contents of all parts of one type. @returns {Buffer[]} */
function partsOf(png, type) {
  const found = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + TYPE_AT, at + DATA_AT) === type) {
      found.push(png.subarray(at + DATA_AT, at + DATA_AT + length));
    }
    at += DATA_AT + length + CRC_BYTES;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([words(data.length), body, words(crc32(body))]);
}

function words(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
