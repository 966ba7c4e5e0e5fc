// Files that hosts of the core read: as the package reads them, and without a record in the core's memory.
import { describe, expect, it } from "vitest";
import { parseSchema, readCsv, toCsv } from "../../src/node.js";
import { nonPrivateCheck, nonPrivateProposal } from "../../src/owner-node.js";
import { VECTORS } from "../vectors/vectors.js";
import { Guest } from "./guest.js";
import { isShipped, opened } from "./shipped.js";

/** Sizes of the pieces in which a file is passed: a short one in all of them, others in the largest. */
const PIECES = [100_000, 1, 7];
const SHORT = 1000;
const piecesOf = (text: Uint8Array) => PIECES.slice(0, text.length < SHORT ? undefined : 1);

/** What is no number of bytes. */
const NO_BYTES = [-1, 0.5, 2 ** 32, "7", null];

/** As the core's messages carry it. */
const asJson = (value: object) => JSON.parse(JSON.stringify(value));

/** Records with everything that a check counts. */
function checkedText(times: number): Buffer {
  const rows = ["1,F,31,5.5", "2,f,-1,10.2,more", "3,M,,5", "", '4,"M",99,1', "5,NA", "6,M,60,7"];
  return Buffer.from(`id,sex,age,fare\r\n${`${rows.join("\r\n")}\r\n`.repeat(times)}`);
}

const CHECKED = {
  fields: [
    { name: "id", type: "string", standin: { role: "id" } },
    { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "fare", type: "number", constraints: { minimum: 0, maximum: 10 }, standin: { granularity: 0.5 } },
  ],
  missingValues: ["", "NA"],
  standin: { constraints: ["age <= fare"] },
};

const CITIES = {
  fields: [
    { name: "city", type: "string", constraints: { enum: ["Köln", "Łódź", "Málaga", "Lima"] } },
    { name: "n", type: "integer", constraints: { minimum: 0, maximum: 9 } },
  ],
};
const CITY_ROWS = "Köln,1\r\nMálaga,2\r\n“Kölle”,3\r\nŁódź,4\r\n€uro 🂡,5\r\n";

const utf8 = (text: string) => Buffer.from(text);
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const windows = (text: string) =>
  Buffer.from(
    Array.from(text, (one) =>
      "“”€".includes(one) ? { "“": 0x93, "”": 0x94, "€": 0x80 }[one]! : one.codePointAt(0)! & 0xff,
    ),
  );

/** What is written, how, and which encoding a schema has to state. */
const ENCODED: [string, (text: string) => Buffer, string?][] = [
  ["UTF-8", utf8],
  ["UTF-8 with a mark", (text) => utf8(`\ufeff${text}`)],
  ["UTF-16 with a mark", (text) => utf16(`\ufeff${text}`)],
  ["UTF-16 of the other order with a mark", (text) => utf16(`\ufeff${text}`).swap16()],
  ["UTF-16", utf16, "utf-16le"],
  ["UTF-16 of the other order", (text) => utf16(text).swap16(), "utf-16be"],
  ["UTF-16 with a mark for the other order", (text) => utf16(`\ufeff${text}`), "utf-16be"],
  ["UTF-16 that ends inside a character", (text) => utf16(`${text}🂡`).subarray(0, -1), "utf-16le"],
  ["Windows-1252", windows, "windows-1252"],
  ["ill-formed UTF-8", (text) => Buffer.concat([utf8(text), Buffer.of(0xc3, 0x28)])],
];

/** What each kind of reader ends in. */
const ENDS = { read: "table", propose: "proposal", check: "checked" };

/** What comes of a promise: its value as JSON, or the code of its error. */
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => asJson({ value }).value,
    (error) => error.code,
  );

describe.skipIf(!isShipped)("a host of the core", () => {
  it("checks a table as the package does", async () => {
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor: CHECKED });
    // The second has more rows than two of the engine's blocks.
    for (const text of [checkedText(3), checkedText(6000)]) {
      const expected = asJson(await nonPrivateCheck(text, parseSchema(CHECKED)));
      expect(expected.constraints[0].broken).toBe(expected.rows / 2);
      for (const piece of piecesOf(text)) {
        const reader = guest.reader({ request: "check", schema }, text, piece);
        expect(guest.ask({ request: "checked", reader })).toEqual(expected);
      }
    }
    expect(core.instances).toBe(0);
  });

  it("checks a table in memory that does not depend on its rows", () => {
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor: CHECKED });
    const { reader } = guest.ask({ request: "check", schema });
    const memory = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
      guest.pass(reader, checkedText(6000), 100_000);
      return core.memory + core.engineMemory;
    });
    expect(memory.at(-1)).toBe(memory[0]);
  });

  it("proposes schemas as the package does", async () => {
    const core = opened();
    const guest = new Guest(core);
    const tables = [...VECTORS.map(({ csv }) => csv), "a;b\n", "1,2\n3,4"].map((csv) => Buffer.from(csv));
    for (const [at, text] of [...tables, checkedText(3), checkedText(6000)].entries()) {
      const options = at % 2 ? { maxCategories: 3, missingValues: ["NA"] } : {};
      const expected = asJson(await nonPrivateProposal(text, options));
      for (const piece of piecesOf(text)) {
        const reader = guest.reader({ request: "propose", options }, text, piece);
        expect(guest.ask({ request: "proposal", reader })).toEqual(expected);
      }
    }
    expect(core.instances).toBe(0);
  });

  it.each([
    ["UTF-8", utf8],
    ["UTF-16", utf16],
  ])("lets the core see no record of a table in %s that it reads or checks", (_, encode) => {
    const text = encode(`\ufeffsex,note\r\n${"F,a secret of somebody\r\nsomebody's sex,\r\n".repeat(5000)}`);
    const fields = [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }];
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor: { fields } });
    const reader = guest.reader({ request: "read", schema }, text, 1000);
    const { table } = guest.ask({ request: "table", reader });
    const check = guest.reader({ request: "check", schema }, text, 1000);
    expect(guest.ask({ request: "checked", reader: check }).columns[0].unlisted).toBe(5000);
    for (const secret of ["a secret of somebody", "somebody's sex"].flatMap((words) => [utf8(words), utf16(words)]))
      expect(Buffer.from(core.bytes()).includes(secret)).toBe(false);
    expect(guest.written(table)).toBe(`sex\n${'F\n""\n'.repeat(5000)}`);
  });

  it.each(ENCODED)("reads %s as the package does", async (_, encode, encoding) => {
    const core = opened();
    const guest = new Guest(core);
    const stated = { ...CITIES, ...(encoding && { encoding }) };
    const { schema, ...facts } = guest.ask({ request: "schema", descriptor: stated });
    expect(facts).toMatchObject({ encoding: encoding ?? "utf-8", decodes: true });
    // Long enough for what decides between encodings to lie in several pieces, after a piece of ASCII.
    const note = `,${"a note ".repeat(70)}`;
    const rows = CITY_ROWS.replaceAll("\r\n", `${note}\r\n`);
    const long = `city,n,note\r\n${`Lima,5${note}\r\n`.repeat(250)}${rows.repeat(50)}`;
    for (const text of [encode(`city,n\r\n${CITY_ROWS}`), encode(long), encode("city,n\nKöln"), encode("")]) {
      const expected = await Promise.all([
        outcome(readCsv(text, parseSchema(stated)).then(toCsv)),
        outcome(nonPrivateCheck(text, parseSchema(stated))),
        outcome(nonPrivateProposal(text)),
        outcome(nonPrivateProposal(text, { dialect: { encoding } })),
      ]);
      for (const piece of piecesOf(text))
        expect([
          guest.outcome(() => guest.written(guest.end({ request: "read", schema }, text, piece, "table").table)),
          guest.outcome(() => guest.end({ request: "check", schema }, text, piece, "checked")),
          guest.outcome(() => guest.end({ request: "propose" }, text, piece, "proposal")),
          guest.outcome(() =>
            guest.end({ request: "propose", options: { dialect: { encoding } } }, text, piece, "proposal"),
          ),
        ]).toEqual(expected);
    }
  });

  it("decodes what the engine does not read", () => {
    const guest = new Guest(opened());
    const { schema, ...facts } = guest.ask({ request: "schema", descriptor: { ...CITIES, encoding: "SJIS" } });
    expect(facts).toMatchObject({ encoding: "shift_jis", decodes: false });
    const options = { dialect: { encoding: "sjis" } };
    for (const [begin, end] of Object.entries(ENDS)) {
      const given = { request: begin, schema, options };
      expect(guest.outcome(() => guest.end(given, utf8(CITY_ROWS), 7, end))).toBe("host/encoding");
      // A mark says more than the schema.
      const marked = guest.end(given, utf8(`\ufeffcity,n\n${CITY_ROWS}`), 7, end);
      const decoded = guest.end({ ...given, decoded: true }, utf8(`city,n\n${CITY_ROWS}`), 7, end);
      if (begin === "read") expect(guest.written(decoded.table)).toBe(guest.written(marked.table));
      else expect(decoded).toEqual(marked);
    }
    expect(guest.refusal({ request: "schema", descriptor: { ...CITIES, encoding: "latin" } })).toBe("schema/dialect");
  });

  it("takes no more bytes than there is room for", () => {
    const guest = new Guest(opened());
    const { schema } = guest.ask({ request: "schema", descriptor: CITIES });
    const { reader } = guest.ask({ request: "read", schema });
    const refused = (bytes: unknown) => guest.refusal({ request: "took", reader, bytes });
    // The reader has room for the header in one place, and for records in another.
    for (const text of ["city,n\n", "Lima,5\n"]) {
      for (const bytes of NO_BYTES) expect(guest.refusal({ request: "room", reader, bytes })).toBe("core/fault");
      expect(guest.ask({ request: "room", reader, bytes: 0 }).bytes).toBe(1);
      const room = guest.ask({ request: "room", reader, bytes: text.length });
      for (const bytes of [...NO_BYTES, room.bytes + 1]) expect(refused(bytes)).toBe("core/fault");
      guest.core.bytesAt(room).set(utf8(text));
      guest.ask({ request: "took", reader, bytes: room.bytes });
      expect(refused(room.bytes)).toBe("core/fault");
    }
    expect(guest.written(guest.ask({ request: "table", reader }).table)).toBe("city,n\nLima,5\n");
  });

  it("gets no result that a reader does not have", () => {
    const guest = new Guest(opened());
    const { schema } = guest.ask({ request: "schema", descriptor: CHECKED });
    for (const begin of Object.keys(ENDS)) {
      const { reader } = guest.ask({ request: begin, schema });
      for (const [other, end] of Object.entries(ENDS))
        expect(guest.refusal({ request: end, reader })).toBe(other === begin ? "files/empty" : "host/handle");
      guest.ask({ request: "drop", object: reader });
      expect(guest.refusal({ request: "room", reader, bytes: 1 })).toBe("host/handle");
    }
    expect(guest.refusal({ request: "propose", options: { dialect: { delimiter: "long" } } })).toBe("schema/dialect");
  });
});
