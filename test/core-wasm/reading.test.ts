// Files that hosts of the core read: as the package reads them, and without a record in the core's memory.
import { describe, expect, it } from "vitest";
import { parseSchema } from "../../src/node.js";
import { nonPrivateCheck, nonPrivateProposal } from "../../src/owner-node.js";
import { VECTORS } from "../vectors/vectors.js";
import { Guest } from "./guest.js";
import { isShipped, opened } from "./shipped.js";

/** Sizes of the pieces in which a file is passed: a short one in all of them, others in the largest. */
const PIECES = [100_000, 1, 7];
const SHORT = 1000;
const piecesOf = (text: Uint8Array) => PIECES.slice(0, text.length < SHORT ? undefined : 1);

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

  it("lets the core see no record where it reads or checks a table", () => {
    const text = Buffer.from(`sex,note\r\n${"F,a secret of somebody\r\nsomebody's sex,\r\n".repeat(5000)}`);
    const fields = [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }];
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor: { fields } });
    const reader = guest.reader({ request: "read", schema }, text, 1000);
    const { table } = guest.ask({ request: "table", reader });
    const check = guest.reader({ request: "check", schema }, text, 1000);
    expect(guest.ask({ request: "checked", reader: check }).columns[0].unlisted).toBe(5000);
    for (const secret of ["a secret of somebody", "somebody's sex"])
      expect(Buffer.from(core.bytes()).includes(secret)).toBe(false);
    expect(guest.written(table)).toBe(`sex\n${'F\n""\n'.repeat(5000)}`);
  });

  it("gets no result that a reader does not have", () => {
    const guest = new Guest(opened());
    const { schema } = guest.ask({ request: "schema", descriptor: CHECKED });
    const ends = { read: "table", propose: "proposal", check: "checked" };
    for (const begin of Object.keys(ends)) {
      const { reader } = guest.ask({ request: begin, schema });
      for (const [other, end] of Object.entries(ends))
        expect(guest.refusal({ request: end, reader })).toBe(other === begin ? "files/empty" : "host/handle");
      guest.ask({ request: "drop", object: reader });
      expect(guest.refusal({ request: "room", reader, bytes: 1 })).toBe("host/handle");
    }
    expect(guest.refusal({ request: "propose", options: { dialect: { delimiter: "long" } } })).toBe("schema/dialect");
  });
});
