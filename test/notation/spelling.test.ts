import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecOf } from "../../src/schema/decode.js";
import { parseSchema } from "../../src/schema/schema.js";
import { gridOf, one } from "../schema/one.js";

const integer = (minimum: unknown, maximum: unknown, standin: object = {}, rest: object = {}) =>
  one({ type: "integer", constraints: { minimum, maximum }, standin, ...rest });

describe("numbers", () => {
  it("keep the leading zeros of their width", () => {
    const { reader, codec, through } = integer(-99_999, 123_456, { format: { width: 5 } });
    expect(["00123", "123", "-42", "100000"].map(through)).toEqual(["00123", "00123", "-00042", "100000"]);
    expect(codec.value(reader.encode("00123"))).toBe(123);
    const bare = one({
      type: "number",
      constraints: { minimum: -9, maximum: 9 },
      standin: { granularity: 0.01, format: { width: 0 } },
    });
    expect(["0.5", "-.25", "0", "3"].map(bare.through)).toEqual([".50", "-.25", ".00", "3.00"]);
    const fixed = one({
      type: "number",
      constraints: { minimum: 0, maximum: 99 },
      standin: { granularity: 0.1, format: { width: 2 } },
    });
    expect(fixed.through("7.25")).toBe("07.3");
  });

  it("have as many decimals as their granularity is written with", () => {
    const stepped = (granularity: unknown, minimum: unknown = 0) =>
      one({ type: "number", constraints: { minimum, maximum: 500 }, standin: { granularity } });
    expect(["22.0", "7", "7.5"].map(stepped("1.0").through)).toEqual(["22.0", "7.0", "8.0"]);
    expect(["22.0", "7", "7.26"].map(stepped("0.50").through)).toEqual(["22.00", "7.00", "7.50"]);
    expect(stepped("10.00").through("22")).toBe("20.00");
    expect(stepped(1, "0.00").through("22.0")).toBe("22");
    const { reader, codec } = stepped("1.0");
    expect(codec.value(reader.encode("22.0"))).toBe(22);
    expect(reader.encode("22.0")).toBe(stepped(1).reader.encode("22"));
  });

  it("write a currency or per cent sign where it is stated, and read it in any case", () => {
    const price = one({
      type: "number",
      groupChar: ",",
      bareNumber: false,
      constraints: { minimum: -5000, maximum: 5000 },
      standin: { granularity: 0.01, format: { prefix: "$" } },
    });
    expect(["$1,234.5", "1234.5", "-$3", "$-3", "USD 7"].map(price.through)).toEqual([
      "$1,234.50",
      "$1,234.50",
      "-$3.00",
      "-$3.00",
      "$7.00",
    ]);
    const share = { type: "number", bareNumber: false, constraints: { minimum: 0, maximum: 100 } };
    const stated = one({ ...share, standin: { granularity: 0.5, format: { suffix: " %" } } });
    expect(["12.5%", "12.5 %", "12.5"].map(stated.through)).toEqual(["12.5 %", "12.5 %", "12.5 %"]);
    expect(one({ ...share, standin: { granularity: 0.5 } }).through("12.5%")).toBe("12.5");
  });

  it("listed as JSON numbers are written in the field's notation, listed as texts unchanged", () => {
    const constraints = { enum: [1.5, "02,50", 1000] };
    const { codec } = one({ type: "number", decimalChar: ",", groupChar: ".", constraints });
    expect([0, 1, 2].map(codec.text)).toEqual(["1,5", "02,50", "1.000"]);
    expect([0, 1, 2].map(codec.value)).toEqual([1.5, 2.5, 1000]);
    const padded = one({ type: "integer", constraints: { enum: [1, 20] }, standin: { format: { width: 3 } } });
    expect(["1", "020"].map(padded.through)).toEqual(["001", "020"]);
  });

  it("beyond 2^53 are exact from text to text, in bounds, steps, edges and categories", () => {
    const ten = 10n ** 18n;
    fc.assert(
      fc.property(fc.bigInt({ min: -ten, max: ten }), fc.integer({ min: 0, max: 10_000 }), (minimum, at) => {
        const { reader, codec } = integer(String(minimum), String(minimum + 10_000n));
        const text = String(minimum + BigInt(at));
        expect(reader.encode(text)).toBe(at);
        expect(codec.text(at)).toBe(text);
        expect(BigInt(codec.value(at) as bigint)).toBe(minimum + BigInt(at));
      }),
      { seed: 5, numRuns: 300 },
    );
    const edge = "9007199254740995";
    const field = { type: "integer", constraints: { minimum: "9007199254740993", maximum: "9007199254740999" } };
    expect([...gridOf({ fields: [{ name: "x", ...field, standin: { bins: [edge] } }] }).starts]).toEqual([0, 2]);
    const listed = one({ type: "integer", constraints: { enum: ["9007199254740993", "9007199254740992"] } });
    expect(["9007199254740993", "9007199254740992.0"].map(listed.through)).toEqual([
      "9007199254740993",
      "9007199254740992",
    ]);
    expect([0, 1].map(listed.codec.value)).toEqual([9007199254740993n, 9007199254740992n]);
  });

  it("of 15 digits after the point are exact from text to text", () => {
    const { reader, codec } = one({
      type: "number",
      constraints: { minimum: -2, maximum: 2 },
      standin: { granularity: 1e-15 },
    });
    fc.assert(
      fc.property(fc.bigInt({ min: -2n * 10n ** 15n, max: 2n * 10n ** 15n }), (units) => {
        const digits = String(units < 0n ? -units : units).padStart(16, "0");
        const text = `${units < 0n ? "-" : ""}${digits.slice(0, 1)}.${digits.slice(1)}`;
        expect(codec.text(reader.encode(text))).toBe(text);
        expect(codec.value(reader.encode(text))).toBe(Number(text));
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it("in any notation survive text → code → text", () => {
    const marks = fc.constantFrom(
      { decimalChar: ".", groupChar: "," },
      { decimalChar: ",", groupChar: "." },
      { decimalChar: ",", groupChar: " " },
      { decimalChar: ".", groupChar: "'" },
    );
    const around = fc.constantFrom({}, { prefix: "$" }, { suffix: "%" }, { prefix: "EUR ", suffix: " net" });
    const step = fc.constantFrom(1, 0.5, 0.01, 250);
    fc.assert(
      fc.property(
        marks,
        around,
        step,
        fc.integer({ min: -9, max: 9 }),
        fc.nat(),
        (mark, format, granularity, low, pick) => {
          const constraints = { minimum: low * 250, maximum: low * 250 + 2000 };
          const rest = { ...mark, bareNumber: false, constraints, standin: { granularity, format } };
          const { schema, reader, codec } = one({ type: "number", ...rest });
          const { domain } = schema.fields[0];
          const at = pick % (domain?.kind === "grid" ? domain.points : 1);
          expect(reader.encode(codec.text(at))).toBe(at);
        },
      ),
      { seed: 8, numRuns: 500 },
    );
  });
});

describe("numbers with exponents", () => {
  const number = (minimum: unknown, maximum: unknown, granularity: unknown, format: object, rest: object = {}) =>
    one({ type: "number", constraints: { minimum, maximum }, standin: { granularity, format }, ...rest });

  it("have the letter, sign, digits and decimal sign that are stated", () => {
    const texts = ["0.25", "-2.50E-1", "0", "12e0", "-1e+1"];
    const written = (exponent: string, rest?: object) => texts.map(number(-20, 20, 0.01, { exponent }, rest).through);
    expect(written("0.000000e+00")).toEqual([
      ...["2.500000e-01", "-2.500000e-01", "0.000000e+00", "1.200000e+01", "-1.000000e+01"],
    ]);
    expect(written("0.0E0")).toEqual(["2.5E-1", "-2.5E-1", "0.0E0", "1.2E1", "-1.0E1"]);
    expect(written("0e+000")).toEqual(["2.5e-001", "-2.5e-001", "0e+000", "1.2e+001", "-1e+001"]);
    const comma = number(-20, 20, 0.01, { exponent: "0.00e+00" }, { decimalChar: ",", groupChar: "." });
    expect(["0,25", "-2,5e-1", "2.5"].map(comma.through)).toEqual(["2,50e-01", "-2,50e-01", "2,00e+01"]);
    const signed = { exponent: "0.0e+00", prefix: "€ ", suffix: " net" };
    const price = number(-20, 20, 0.01, signed, { bareNumber: false });
    expect(["-2.5e-1", "EUR 3"].map(price.through)).toEqual(["-€ 2.5e-01 net", "€ 3.0e+00 net"]);
  });

  it("are used for the magnitudes that are not written plainly", () => {
    const mixed = (range: object) => {
      const { through } = number(-1000, 1000, 0.0001, { exponent: "0e+00", ...range });
      return ["0", "0.0099", "-0.01", "99.99999", "100", "-250"].map(through);
    };
    expect(mixed({ plainFrom: 0.01, plainBelow: "1e2" })).toEqual([
      ...["0.0000", "9.9e-03", "-0.0100", "1e+02", "1e+02", "-2.5e+02"],
    ]);
    expect(mixed({ plainFrom: 0.01 })).toEqual(["0.0000", "9.9e-03", "-0.0100", "100.0000", "100.0000", "-250.0000"]);
    expect(mixed({ plainBelow: 100 })).toEqual(["0.0000", "0.0099", "-0.0100", "1e+02", "1e+02", "-2.5e+02"]);
  });

  it("may be integers, also beyond 2^53", () => {
    const { codec, through } = integer("0", "1e18", { granularity: 1e3, format: { exponent: "0e+00" } });
    expect(["1000", "1e3", "1234567", "123456789012345678"].map(through)).toEqual([
      ...["1e+03", "1e+03", "1.235e+06", "1.23456789012346e+17"],
    ]);
    expect(codec.value(10 ** 15)).toBe(10n ** 18n);
    expect(
      gridOf({ fields: [{ name: "x", type: "number", constraints: { minimum: "-2.5e-7", maximum: 1e-6 } }] }),
    ).toMatchObject({ minimum: -250n, step: 1n, scale: 9, points: 1251 });
  });

  it("listed as JSON numbers are written this way, listed as texts unchanged", () => {
    const constraints = { enum: [1.5, "1e3", 1e-7] };
    const { codec, through } = one({ type: "number", constraints, standin: { format: { exponent: "0.00e+00" } } });
    expect([0, 1, 2].map(codec.text)).toEqual(["1.50e+00", "1e3", "1.00e-07"]);
    expect(["1.5", "1000", "0.0000001"].map(through)).toEqual(["1.50e+00", "1e3", "1.00e-07"]);
  });

  const orders = fc.integer({ min: -280, max: 280 });

  it("are read and written as JavaScript does, of any order", () => {
    const units = fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n);
    fc.assert(
      fc.property(units, orders, fc.integer({ min: 1, max: 14 }), (digits, order, places) => {
        const text = Number(`${digits}e${order}`).toExponential(places);
        const exponent = `0.${"0".repeat(places)}e+0`;
        const { reader, codec } = number(`-1e${order + 15}`, `1e${order + 15}`, `1e${order}`, { exponent });
        expect(codec.text(reader.encode(text))).toBe(text);
        expect(Number(codec.value(reader.encode(text)))).toBe(Number(text));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it("of 16 digits are exact from text to text", () => {
    fc.assert(
      fc.property(
        fc.bigInt(10n ** 14n, 9n * 10n ** 14n - 1n),
        fc.integer({ min: 1, max: 9 }),
        orders,
        (digits, last, order) => {
          const text = `${`${digits}${last}`.replace(/^./, "$&.")}e${order < 0 ? "-" : "+"}${Math.abs(order)}`;
          const { through } = number(0, `9e${order}`, `1e${order - 15}`, { exponent: "0.0e+0" });
          expect(through(text)).toBe(text);
        },
      ),
      { seed: 13, numRuns: 500 },
    );
  });
});

describe("ids", () => {
  const rows = [0, 1, 8, 9, 98, 99, 100, 99_998, 99_999, 9_999_999];
  const idCodec = (rest: object, format?: object) => {
    const schema = parseSchema({
      fields: [{ name: "x", ...rest, standin: { role: "id", ...(format && { format }) } }],
    });
    return codecOf(schema.fields[0], schema);
  };
  const id = (rest: object, format?: object) => {
    const codec = idCodec(rest, format);
    return { texts: rows.map(codec.text), values: rows.map(codec.value) };
  };

  it.each([
    ["strings", {}, undefined, ["1", "2", "9", "10", "99", "100", "101", "99999", "100000", "10000000"]],
    ["a width", {}, { width: 3 }, ["001", "002", "009", "010", "099", "100", "101", "99999", "100000", "10000000"]],
    [
      "a pattern",
      {},
      { pattern: "P-####-#/b" },
      [
        ...["P-0000-1/b", "P-0000-2/b", "P-0000-9/b", "P-0001-0/b", "P-0009-9/b", "P-0010-0/b", "P-0010-1/b"],
        ...["P-9999-9/b", "P-10000-0/b", "P-1000000-0/b"],
      ],
    ],
  ])("are the rows' numbers, as %s", (_, rest, format, expected) => {
    expect(id(rest, format)).toEqual({ texts: expected, values: expected });
  });

  it("that are integers have numbers for values", () => {
    const { texts, values } = id({ type: "integer" }, { width: 4 });
    expect(texts.slice(0, 4)).toEqual(["0001", "0002", "0009", "0010"]);
    expect(values).toEqual(rows.map((row) => row + 1));
  });

  it.each([
    ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ["email", /^[a-z0-9]+@example\.com$/],
    ["uri", /^https:\/\/example\.com\/\d+$/],
  ])("of the format %s are well-formed and unique", (format, form) => {
    const codec = idCodec({ format });
    const texts = Array.from({ length: 100_000 }, (_, row) => codec.text(row));
    expect(texts.every((text) => form.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(100_000);
  });

  it("of any pattern are unique", () => {
    const pattern = fc
      .array(fc.constantFrom("#", "1", "0", "-", "$&", "x"), { maxLength: 6 })
      .map((parts) => `${parts.join("")}#`);
    fc.assert(
      fc.property(pattern, (pattern) => {
        const codec = idCodec({}, { pattern });
        expect(new Set(Array.from({ length: 2000 }, (_, row) => codec.text(row))).size).toBe(2000);
      }),
      { seed: 9, numRuns: 60 },
    );
  });
});
