import { expect, it } from "vitest";
import { ENCODINGS, usualEncoding } from "../../src/requests/encodings.js";

/** The usual name of an encoding that this runtime can decode. */
function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

it("calls encodings what the platform calls them", () => {
  const names = [...ENCODINGS.keys()];
  const decoded = names.filter((name) => known(name) !== undefined);
  expect(decoded.length).toBeGreaterThan(200);
  for (const name of decoded) expect(usualEncoding(` ${name.toUpperCase()}\n`), name).toBe(known(name));
});

it.each(["", "utf", "replacement", "hz-gb-2312", "\u00a0utf-8", "__proto__"])("knows no encoding %j", (label) => {
  expect(usualEncoding(label)).toBeUndefined();
  expect(known(label)).toBeUndefined();
});
