import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSchema } from "../../src/schema/schema.js";
import { gridOf, one } from "../schema/one.js";

const temporal = (type: string, format: unknown, minimum: unknown, maximum: unknown, standin: object = {}) => ({
  type,
  ...(format === undefined ? {} : { format }),
  constraints: { minimum, maximum },
  standin,
});
const schemaOf = (...given: Parameters<typeof temporal>) => ({ fields: [{ name: "x", ...temporal(...given) }] });
const through = (...given: Parameters<typeof temporal>) => one(temporal(...given)).through;

describe("refuses with a code and the field's name", () => {
  it.each([
    [schemaOf("date", "any", "2020-01-01", "2021-01-01"), "schema/format", /"x".*"any"/],
    [schemaOf("date", 3, "2020-01-01", "2021-01-01"), "schema/format", /format 3/],
    [schemaOf("date", "YYYY-MM-DD", "2020-01-01", "2021-01-01"), "schema/format", /not give the year/],
    [schemaOf("date", "%Y-%m", "2020-01", "2021-01"), "schema/format", /not give the day/],
    [schemaOf("date", "%Y-%m-%d %H", "2020-01-01 00", "2021-01-01 00"), "schema/format", /hour is not part of a date/],
    [schemaOf("date", "%Y-%m-%d %Z", "2020-01-01 UTC", "2021-01-01 UTC"), "schema/format", /"%Z" is not known/],
    [schemaOf("date", "%Y-%m-%d%", "2020-01-01", "2021-01-01"), "schema/format", /"%" is not known/],
    [schemaOf("date", "%-b %d %Y", "Jan 01 2020", "Jan 01 2021"), "schema/format", /"%-b" is not known/],
    [schemaOf("date", "%Y/%y-%m-%d", "2020/20-01-01", "2021/21-01-01"), "schema/format", /the year twice/],
    [schemaOf("date", "%Y %j %d", "2020 001 01", "2021 001 01"), "schema/format", /the day twice/],
    [schemaOf("date", "%-d%m%Y", "1012020", "1012021"), "schema/format", /cannot be told apart/],
    [schemaOf("time", "%I:%M", "01:00", "02:00"), "schema/format", /only one of %I and %p/],
    [schemaOf("time", "%H:%M %p", "01:00 AM", "02:00 AM"), "schema/format", /only one of %I and %p/],
    [schemaOf("time", "%H:%M %z", "01:00 Z", "02:00 Z"), "schema/format", /offset is not part of a time/],
    [schemaOf("time", "%H:%S", "01:00", "02:00"), "schema/format", /not give the minute/],
    [schemaOf("datetime", "%Y-%m-%d", "2020-01-01", "2021-01-01"), "schema/format", /not give the hour/],
    [schemaOf("date", undefined, "01/01/2020", "2021-01-01"), "schema/bounds", /"x".*minimum.*"01\/01\/2020"/],
    [
      schemaOf("date", "%d/%m/%Y", "01/01/2020", "2021-01-01"),
      "schema/bounds",
      /maximum.*"2021-01-01".*"28\/02\/2021"/,
    ],
    [schemaOf("date", "%Y%m%d", 20200101, 20210101), "schema/bounds", /20200101.*in quotes/],
    [schemaOf("date", undefined, "2021-02-29", "2022-01-01"), "schema/bounds", /minimum/],
    [schemaOf("date", undefined, "2022-01-01", "2021-01-01"), "schema/bounds", /above/],
    [schemaOf("date", undefined, "2021-01-01", undefined), "schema/no-bounds", /no maximum/],
    [schemaOf("time", undefined, "07:00:00", "24:00:00"), "schema/bounds", /maximum/],
    [
      schemaOf("time", "%H:%M", "07:00", "19:00", { granularity: 30 }),
      "schema/format",
      /"07:00" would be read as another/,
    ],
    [schemaOf("date", undefined, "2020-01-01", "2021-01-01", { granularity: 0.5 }), "schema/format", /another/],
    [
      schemaOf("datetime", "%Y-%m-%d %H:%M:%S.%f", "2020-01-01 00:00:00.0", "2020-01-01 00:00:01.0", {
        granularity: 1e-7,
      }),
      "schema/format",
      /read as no value/,
    ],
    [
      schemaOf("datetime", "%y-%m-%dT%H%z", "20-01-01T00+0200", "68-12-31T23-1000"),
      "schema/format",
      /"69-01-01T11\+0200" would be read as another/,
    ],
    [schemaOf("date", undefined, "2020-01-01", "2020-12-31", { bins: ["1/7/2020"] }), "schema/bounds", /bin edge/],
    [
      schemaOf("date", undefined, "2020-01-01", "2020-12-31", { format: { width: 3 } }),
      "schema/format",
      /modelled date/,
    ],
  ])("%j", (source, code, message) => {
    expect(() => parseSchema(source)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe("grids", () => {
  it.each([
    ["days", schemaOf("date", undefined, "2023-12-31", "2024-12-31"), { points: 367, step: 1n, tree: true }],
    ["one day", schemaOf("date", undefined, "2024-02-29", "2024-02-29"), { points: 1, tree: false }],
    [
      "weeks from the minimum",
      schemaOf("date", undefined, "2024-01-01", "2024-01-31", { granularity: 7 }),
      { points: 5 },
    ],
    ["seconds of a time", schemaOf("time", undefined, "00:00:00", "23:59:59"), { points: 86_400, step: 1n }],
    ["minutes of a time", schemaOf("time", "%H:%M", "07:00", "19:00"), { points: 721, step: 60n }],
    ["hours of a time", schemaOf("time", "%I %p", "12 AM", "11 PM"), { points: 24, step: 3600n }],
    [
      "minutes of datetimes over a day and more",
      schemaOf("datetime", undefined, "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"),
      { points: 1441, step: 60n },
    ],
    [
      "seconds of datetimes within a day",
      schemaOf("datetime", undefined, "2024-01-01T00:00:00Z", "2024-01-01T23:59:59Z"),
      { points: 86_400, step: 1n },
    ],
    [
      "hours where a datetime has no minutes",
      schemaOf("datetime", "%Y%m%d%H", "2024010100", "2024010123"),
      { points: 24, step: 3600n },
    ],
    [
      "milliseconds",
      schemaOf("datetime", undefined, "2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", { granularity: 0.001 }),
      { points: 1001, step: 1n, scale: 3 },
    ],
    ["years", schemaOf("year", undefined, 1930, 2005), { points: 76, step: 1n, tree: false }],
  ])("%s", (_, source, expected) => {
    expect(gridOf(source)).toMatchObject(expected);
  });

  it("can be cut at edges in the field's format", () => {
    const { starts } = gridOf(
      schemaOf("date", "%d/%m/%Y", "01/01/2024", "31/12/2024", { bins: ["01/03/2024", "01/07/2024"] }),
    );
    expect([...starts]).toEqual([0, 60, 182]);
  });
});

describe("dates", () => {
  it("exist or follow the rule for unreadable values", () => {
    const iso = through("date", undefined, "1900-01-01", "2100-12-31");
    for (const cell of ["2024-02-29", "2000-02-29", "2023-12-31"]) expect(iso(cell)).toBe(cell);
    for (const cell of [
      "2023-02-29",
      "1900-02-29",
      "2100-02-29",
      "2024-04-31",
      "2024-13-01",
      "2024-00-10",
      "2024-01-00",
    ])
      expect([cell, iso(cell)]).toEqual([cell, ""]);
    for (const cell of ["24-01-01", "2024-01-01T00:00:00", "29/02/2024", "20240229", "2024-01-01x"])
      expect([cell, iso(cell)]).toEqual([cell, ""]);
    const required = one({
      type: "date",
      constraints: { minimum: "1900-01-01", maximum: "2100-12-31", required: true },
    });
    expect(required.through("2023-02-29")).toBe("1900-01-01");
  });

  it("are clipped, rounded to steps, and read with or without leading zeros and blanks", () => {
    const iso = through("date", undefined, "2024-01-01", "2024-12-31");
    expect(["1850-06-01", "9999-12-31", " 2024-3-7 "].map(iso)).toEqual(["2024-01-01", "2024-12-31", "2024-03-07"]);
    const weekly = through("date", undefined, "2024-01-01", "2024-12-31", { granularity: 7 });
    expect(["2024-01-04", "2024-01-05"].map(weekly)).toEqual(["2024-01-01", "2024-01-08"]);
  });

  it.each([
    ["%d/%m/%Y", "01/01/2020", "31/12/2024", "29/02/2024", "2024-02-29"],
    ["%-d.%-m.%Y", "1.1.2020", "31.12.2024", "7.3.2024", "2024-03-07"],
    ["%Y%m%d", "20200101", "20241231", "20240229", "2024-02-29"],
    ["%m/%d/%y", "01/01/69", "12/31/68", "02/29/24", "2024-02-29"],
    ["%Y-%j", "2020-001", "2024-366", "2024-366", "2024-12-31"],
    ["%d-%b-%Y", "01-Jan-2020", "31-Dec-2024", "29-Feb-2024", "2024-02-29"],
    ["%B %d, %Y", "January 01, 2020", "December 31, 2024", "May 05, 2023", "2023-05-05"],
    ["%d%%%m (%Y)", "01%01 (2020)", "31%12 (2024)", "29%02 (2024)", "2024-02-29"],
    ["[%Y].%m+%d*", "[2020].01+01*", "[2024].12+31*", "[2024].02+29*", "2024-02-29"],
  ])("in the format %s come out as they went in", (format, minimum, maximum, cell, iso) => {
    const { reader, codec, through } = one(temporal("date", format, minimum, maximum));
    expect(through(cell)).toBe(cell);
    expect(codec.value(reader.encode(cell))).toBe(iso);
  });

  it("with two-digit years lie between 1969 and 2068", () => {
    const { reader, codec } = one(temporal("date", "%y%m%d", "690101", "681231"));
    expect(["690101", "991231", "000101", "681231"].map((cell) => codec.value(reader.encode(cell)))).toEqual([
      "1969-01-01",
      "1999-12-31",
      "2000-01-01",
      "2068-12-31",
    ]);
  });

  it("of digits without marks need all of them", () => {
    const packed = through("date", "%Y%m%d", "20200101", "20241231");
    expect(packed("2024111")).toBe("");
    expect(through("date", "%Y-%j", "2020-001", "2024-366")("2023-366")).toBe("");
  });

  it("listed as categories are recognised by their day", () => {
    const { reader, codec, through } = one({
      type: "date",
      format: "%d/%m/%Y",
      constraints: { enum: ["01/03/2024", "15/03/2024"] },
    });
    expect(["1/3/2024", "15/03/2024", "never"].map(through)).toEqual(["01/03/2024", "15/03/2024", ""]);
    expect(codec.value(reader.encode("1/3/2024"))).toBe("2024-03-01");
    expect(() => one({ type: "date", format: "%d/%m/%Y", constraints: { enum: ["1/3/2024", "01/03/2024"] } })).toThrow(
      expect.objectContaining({ code: "schema/enum" }),
    );
  });
});

describe("times", () => {
  it("end before 24:00 and have no leap seconds", () => {
    const iso = through("time", undefined, "00:00:00", "23:59:59");
    for (const cell of ["00:00:00", "12:30:59", "23:59:59"]) expect(iso(cell)).toBe(cell);
    for (const cell of ["24:00:00", "12:60:00", "12:00:60", "12:00", "-1:00:00"])
      expect([cell, iso(cell)]).toEqual([cell, ""]);
    expect(iso("23:59:59.9")).toBe("23:59:59");
    expect(iso("12:00:00.5")).toBe("12:00:01");
  });

  it.each([
    ["%H:%M", "07:00", "19:00", "07:40", "07:40:00"],
    ["%I:%M %p", "12:00 AM", "11:59 PM", "12:15 AM", "00:15:00"],
    ["%I:%M %p", "12:00 AM", "11:59 PM", "12:15 PM", "12:15:00"],
    ["%-I%p", "12AM", "11PM", "3PM", "15:00:00"],
    ["%H%M%S", "000000", "235959", "070809", "07:08:09"],
  ])("in the format %s come out as they went in", (format, minimum, maximum, cell, iso) => {
    const { reader, codec, through } = one(temporal("time", format, minimum, maximum));
    expect(through(cell)).toBe(cell);
    expect(through(cell.toLowerCase())).toBe(cell);
    expect(codec.value(reader.encode(cell))).toBe(iso);
  });

  it("keep the decimals of their granularity", () => {
    const tenths = one(temporal("time", undefined, "00:00:00", "00:01:00", { granularity: 0.1 }));
    expect(["00:00:01.25", "00:00:02", "00:00:03.000000000000000001"].map(tenths.through)).toEqual([
      "00:00:01.3",
      "00:00:02.0",
      "00:00:03.0",
    ]);
    expect([12, 20].map(tenths.codec.value)).toEqual(["00:00:01.2", "00:00:02"]);
    const micro = through("time", "%H:%M:%S.%f", "00:00:00.0", "00:00:01.0", { granularity: 1e-6 });
    expect(["00:00:00.5", "00:00:00.000001"].map(micro)).toEqual(["00:00:00.500000", "00:00:00.000001"]);
  });
});

describe("datetimes", () => {
  const zoned = (format: string | undefined, minimum: string, maximum: string) =>
    one(temporal("datetime", format, minimum, maximum, { granularity: 1 }));

  it("are instants, written at the offset of the minimum in its spelling", () => {
    const { reader, codec, through } = zoned(
      "%Y-%m-%dT%H:%M:%S%z",
      "2020-12-01T00:00:00+02:00",
      "2023-12-31T23:59:59+02:00",
    );
    for (const cell of [
      "2023-03-26T01:30:00Z",
      "2023-03-26T03:30:00+0200",
      "2023-03-26T03:30:00+02",
      "2023-03-25T20:00:00-05:30",
    ])
      expect([cell, through(cell)]).toEqual([cell, "2023-03-26T03:30:00+02:00"]);
    expect(codec.value(reader.encode("2023-03-26T01:30:00Z"))).toBe("2023-03-26T03:30:00+02:00");
    for (const cell of ["2023-03-26T01:30:00", "2023-03-26T01:30:00+25:00", "2023-03-26T01:30:00+02:60"])
      expect([cell, through(cell)]).toEqual([cell, ""]);
  });

  it("take the spelling of an offset from the minimum, and as values that of ISO 8601", () => {
    for (const [offset, iso] of [
      ["Z", "Z"],
      ["+0000", "Z"],
      ["-0930", "-09:30"],
      ["+05", "+05:00"],
    ]) {
      const { codec } = zoned("%d.%m.%Y %H:%M:%S %z", `28.02.2024 23:00:00 ${offset}`, "01.03.2024 23:00:00 Z");
      expect(codec.text(3600)).toBe(`29.02.2024 00:00:00 ${offset}`);
      expect(codec.value(3600)).toBe(`2024-02-29T00:00:00${iso}`);
    }
  });

  it("in ISO 8601 may or may not have a blank, decimals and an offset", () => {
    const utc = zoned(undefined, "2024-01-01T00:00:00Z", "2024-12-31T00:00:00Z").through;
    for (const cell of ["2024-05-01 12:00:00", "2024-05-01T12:00:00.2Z", "2024-05-01T14:00:00+02:00"])
      expect([cell, utc(cell)]).toEqual([cell, "2024-05-01T12:00:00Z"]);
    const local = zoned(undefined, "2024-01-01T00:00:00", "2024-12-31T00:00:00").through;
    expect(["2024-05-01T12:00:00", "2024-05-01T12:00:00-01:00"].map(local)).toEqual([
      "2024-05-01T12:00:00",
      "2024-05-01T13:00:00",
    ]);
    const eastern = zoned(undefined, "2024-01-01T00:00:00-05:00", "2024-12-31T00:00:00-05:00").through;
    expect(["2024-05-01T12:00:00", "2024-05-01T17:00:00Z"].map(eastern)).toEqual([
      "2024-05-01T12:00:00-05:00",
      "2024-05-01T12:00:00-05:00",
    ]);
  });

  it("have no daylight saving: every hour of the year occurs once", () => {
    const { codec } = one(
      temporal("datetime", "%Y-%m-%d %H:%M", "2023-01-01 00:00", "2023-12-31 23:00", { granularity: 3600 }),
    );
    const texts = Array.from({ length: 8760 }, (_, hour) => codec.text(hour));
    expect(new Set(texts).size).toBe(8760);
    expect(texts.slice(2040, 2044)).toEqual([
      "2023-03-27 00:00",
      "2023-03-27 01:00",
      "2023-03-27 02:00",
      "2023-03-27 03:00",
    ]);
  });

  it("go back before 1970 and to the ends of the four-digit years", () => {
    const { through } = zoned(undefined, "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
    for (const cell of ["0000-02-29T00:00:01Z", "1582-10-10T12:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"])
      expect(through(cell)).toBe(cell);
  });
});

it("years are numbers of four digits", () => {
  const { reader, codec, through } = one(temporal("year", undefined, 800, 2005));
  expect(["1994", "1994.0", " 2010", "0800", "MCM"].map(through)).toEqual(["1994", "1994", "2005", "0800", ""]);
  expect(codec.value(reader.encode("1994"))).toBe(1994);
});

describe("every point of a grid survives text → code → text", () => {
  const FORMATS: Record<string, (string | undefined)[]> = {
    date: [undefined, "%d/%m/%Y", "%Y%m%d", "%-m/%-d/%y", "%j %Y", "%d %b %Y", "%B %-d, %Y"],
    time: [undefined, "%H:%M", "%I:%M:%S %p", "%H%M%S", "%H:%M:%S.%f"],
    datetime: [undefined, "%Y-%m-%d %H:%M", "%d/%m/%y %I:%M %p", "%Y%m%d%H%M%S", "%Y-%jT%H:%M:%S.%f%z"],
  };
  const OFFSETS = ["Z", "+02:00", "-0930", "+14"];
  const cases = Object.entries(FORMATS).flatMap(([type, formats]) => formats.map((format) => [type, format] as const));

  it.each(cases)("%s %s", (type, format) => {
    // A grid of minutes around a random one, first within the widest bounds that the format can write, then within two
    // of its points.
    const wide = one(temporal(type, format, ...widest(type, format, "Z")));
    const { points } = gridOf({ fields: [{ name: "x", ...temporal(type, format, ...widest(type, format, "Z")) }] });
    const point = fc.integer({ min: 0, max: points - 1 });
    fc.assert(
      fc.property(point, point, fc.nat(), fc.constantFrom(...OFFSETS), (a, b, pick, offset) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((at) => wide.codec.text(at).replace(/Z$/, ""));
        const zone = /Z$/.test(wide.codec.text(0)) ? offset : "";
        const { schema, reader, codec } = one(temporal(type, format, low + zone, high + zone));
        const { domain } = schema.fields[0];
        const at = pick % (domain?.kind === "grid" ? domain.points : 1);
        expect(reader.encode(codec.text(at))).toBe(at);
        expect(reader.encode(` ${codec.text(at)} `)).toBe(at);
        const iso = codec.value(at);
        expect(one(temporal(type, undefined, iso, iso)).codec.value(0)).toBe(iso);
      }),
      { seed: 11, numRuns: 150 },
    );
  });

  function widest(type: string, format: string | undefined, offset: string): [string, string] {
    const century = format?.includes("%y") ? ["1969", "2068"] : ["1800", "2199"];
    const ends = [`${century[0]}-01-01T00:00:00`, `${century[1]}-12-31T23:59:59`];
    const zone = type === "datetime" && (!format || format.includes("%z")) ? offset : "";
    return ends.map((end) => {
      const iso = type === "date" ? end.slice(0, 10) : type === "time" ? end.slice(11) : end + zone;
      return format ? inFormat(format, end, zone) : iso;
    }) as [string, string];
  }

  /** The first or last second of a year in a format, written by hand. */
  function inFormat(format: string, end: string, zone: string): string {
    const first = end.endsWith("00:00");
    const texts: Record<string, string> = {
      Y: end.slice(0, 4),
      y: end.slice(2, 4),
      m: first ? "01" : "12",
      d: first ? "01" : "31",
      j: first ? "001" : "365",
      b: first ? "Jan" : "Dec",
      B: first ? "January" : "December",
      H: first ? "00" : "23",
      I: first ? "12" : "11",
      p: first ? "AM" : "PM",
      M: first ? "00" : "59",
      S: first ? "00" : "59",
      f: "000000",
      z: zone,
    };
    return format.replace(/%-?([a-zA-Z])/g, (_, letter: string) => texts[letter]);
  }
});
