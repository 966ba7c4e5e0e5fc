// Schemas of every type, with every way to write its values, for property tests.
import fc from "fast-check";

const TEXT = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", " ", "a", "é", "\uFEFF", "0", "."), maxLength: 5 }),
  fc.string({ unit: "binary", maxLength: 5 }),
);

/** Spellings of missing cells. None can be a number, a date or a truth value. */
const MISSING = [[""], ["NA", ""], ["-"], ["", " "], ["n/a"], []];

const labelsBut = (missing: readonly string[]) =>
  fc.uniqueArray(
    TEXT.filter((text) => !missing.includes(text)),
    { minLength: 1, maxLength: 6 },
  );

const strings = (missing: readonly string[]) =>
  fc.record({ type: fc.constant("string"), constraints: fc.record({ enum: labelsBut(missing) }) });

const booleans = fc.constantFrom(
  { type: "boolean" },
  { type: "boolean", trueValues: ["oui", "o"], falseValues: ["non", "n"] },
  { type: "boolean", trueValues: ["1"], falseValues: ["0"] },
);

/** The marks around and between a number's digits. */
const MARKS = fc.constantFrom(
  {},
  { groupChar: "," },
  { groupChar: "'" },
  { decimalChar: ",", groupChar: "." },
  { decimalChar: ",", groupChar: " " },
  { decimalChar: ";" },
);
const AROUND = fc.constantFrom(
  {},
  { bareNumber: false, format: { prefix: "$" } },
  { bareNumber: false, format: { prefix: "€ ", suffix: '"' } },
  { bareNumber: false, format: { suffix: " %" } },
);
/** Which numbers have exponents, and how these are written. */
const EXPONENTS = fc.constantFrom(
  ...[undefined, undefined, { exponent: "0.000000e+00" }, { exponent: "0E0" }],
  ...[
    { exponent: "0.0e+000", plainFrom: "0.001", plainBelow: 1e4 },
    { exponent: "0e0", plainBelow: "1e2" },
  ],
);
const BINS = fc.constantFrom(undefined, undefined, 1, 2, "tree");

/** A format. If all numbers have exponents, none has a width. */
function formatOf(
  { format = {} }: { format?: object },
  width: number | undefined,
  exponent: object | undefined,
): object {
  const wide = width !== undefined && (!exponent || "plainBelow" in exponent);
  return { ...format, ...(wide && { width }), ...exponent };
}

const integers = fc
  .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat({ max: 5000 }), fc.constantFrom(1, 1, 7), MARKS)
  .chain(([start, points, step, { groupChar }]) =>
    fc.tuple(AROUND, fc.constantFrom(undefined, 1, 5), BINS, EXPONENTS).map(([around, width, bins, exponent]) => ({
      type: "integer",
      ...("bareNumber" in around ? { bareNumber: false } : {}),
      ...(groupChar && groupChar !== "." ? { groupChar } : {}),
      constraints: {
        minimum: String(start * BigInt(step)),
        maximum: String((start + BigInt(points)) * BigInt(step)),
      },
      standin: {
        granularity: step,
        bins: points ? bins : undefined,
        format: formatOf(around, groupChar ? undefined : width, exponent),
      },
    })),
  );

const numbers = fc
  .tuple(
    fc.integer({ min: -20_000, max: 20_000 }),
    fc.nat({ max: 5000 }),
    fc.constantFrom("1", "1.0", "0.5", "0.50", "0.01", "100", "0.000025"),
    fc.tuple(MARKS, AROUND, fc.constantFrom(undefined, 0, 3), BINS, EXPONENTS),
  )
  .map(([start, points, granularity, [marks, around, width, bins, exponent]]) => ({
    type: "number",
    ...("bareNumber" in around ? { bareNumber: false } : {}),
    ...marks,
    constraints: {
      minimum: (start * Number(granularity)).toFixed(6),
      maximum: ((start + points) * Number(granularity)).toFixed(6),
    },
    standin: {
      granularity,
      bins: points ? bins : undefined,
      format: formatOf(around, "groupChar" in marks ? undefined : width, exponent),
    },
  }));

const years = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 })).map(([one, other]) => ({
  type: "year",
  constraints: { minimum: Math.min(one, other), maximum: Math.max(one, other) },
}));

/** Types, formats and bounds of days and times. */
const MOMENTS: readonly (readonly [type: string, format: string | undefined, minimum: string, maximum: string])[] = [
  ["date", undefined, "0001-01-01", "9999-12-31"],
  ["date", "%d/%m/%Y", "01/03/1900", "29/02/2024"],
  ["date", "%-d.%-m.%y", "1.1.69", "31.12.68"],
  ["date", "%b %d, %Y", "Jan 01, 1999", "Dec 31, 2000"],
  ["date", "%Y%m%d", "20240101", "20241231"],
  ["date", "%Y-%j", "2023-365", "2024-366"],
  ["datetime", undefined, "2024-01-01T00:00:00", "2025-01-01T00:00:00"],
  ["datetime", undefined, "2024-03-01T00:00:00+01:00", "2024-03-01T12:00:00+01:00"],
  ["datetime", undefined, "1890-01-01 00:00:00Z", "1890-01-02 00:00:00Z"],
  ["datetime", "%d.%m.%Y %H:%M", "01.01.2024 00:00", "31.12.2024 23:59"],
  ["datetime", "%m/%d/%Y %I:%M:%S %p", "01/01/2024 12:00:00 AM", "01/01/2024 11:59:59 PM"],
  ["datetime", "%Y-%m-%d %H:%M:%S.%f", "2024-01-01 00:00:00.000000", "2024-01-01 00:01:00.000000"],
  ["time", undefined, "00:00:00", "23:59:59"],
  ["time", "%H:%M", "06:00", "18:00"],
  ["time", "%I %p", "12 AM", "11 PM"],
];
const moments = fc.tuple(fc.constantFrom(...MOMENTS), BINS).map(([[type, format, minimum, maximum], bins]) => ({
  type,
  format,
  constraints: { minimum, maximum },
  standin: { bins },
}));

const ids = fc.constantFrom(
  { type: "string", standin: { role: "id" } },
  { type: "integer", standin: { role: "id", format: { width: 4 } } },
  { type: "string", format: "email", standin: { role: "id" } },
  { type: "string", standin: { role: "id", format: { pattern: 'a"#,#' } } },
);

/** A descriptor of up to six columns, whose texts contain only characters that `encodable` allows. */
export const descriptors = fc
  .constantFrom(...MISSING)
  .chain((missingValues) => {
    const field = fc.oneof(strings(missingValues), booleans, integers, numbers, years, moments, ids);
    return fc.record({
      fields: fc.tuple(
        fc.uniqueArray(TEXT, { minLength: 6, maxLength: 6 }),
        fc.array(fc.tuple(field, fc.boolean()), { minLength: 1, maxLength: 6 }),
      ),
      delimiter: fc.constantFrom(",", ";", "\t", "|", " "),
      missingValues: fc.constant(missingValues),
    });
  })
  .map(({ fields: [names, fields], delimiter, missingValues }) => ({
    fields: fields.map(([field, required], at) => ({
      name: names[at],
      ...field,
      constraints: { ...("constraints" in field ? field.constraints : {}), required },
    })),
    missingValues,
    dialect: { delimiter },
  }));
