// The bench of real tables relies on this reader, so it has to find the faults that it looks for.
import { expect, it } from "vitest";
import { type Descriptor, spellingFaults, strictTable } from "../bench/strict-table.js";
import { utf8 } from "./files/tables.js";

const standin = {};
const SCHEMA: Descriptor = {
  fields: [
    { name: "sex", constraints: { enum: ["F", "M"] }, standin },
    { name: "fare", standin },
    { name: "day", standin },
    { name: "id", standin: { role: "id", format: { pattern: "P-##" } } },
    { name: "note", standin: { role: "drop" } },
  ],
  missingValues: ["NA"],
};
const REAL = utf8("sex,fare,day,id,note\r\nF,22.0,01/02/2024,P-17,a\r\nM,NA,11/12/2023,P-18,b\r\n");
const faults = (synthetic: string) => spellingFaults(strictTable(utf8(synthetic), {}), REAL, SCHEMA);

it("accepts a table that is written like the real one", () => {
  expect(faults("sex,fare,day,id\nM,5.0,30/11/2024,P-01\nF,112.5,01/01/2020,P-02\nNA,NA,NA,P-03\n")).toEqual([]);
});

it.each([
  ["columns in another order", "fare,sex,day,id\n5.0,M,30/11/2024,P-01\n", /^header/],
  ["a column that was to be left out", "sex,fare,day,id,note\nM,5.0,30/11/2024,P-01,x\n", /^header/],
  ["an unlisted value", "sex,fare,day,id\nm,5.0,30/11/2024,P-01\n", /^sex: /],
  ["other decimals", "sex,fare,day,id\nM,5,30/11/2024,P-01\n", /^fare: /],
  ["another spelling of missing", "sex,fare,day,id\nM,,30/11/2024,P-01\n", /^fare: /],
  ["another form of dates", "sex,fare,day,id\nM,5.0,2024-11-30,P-01\n", /^day: /],
  ["other ids", "sex,fare,day,id\nM,5.0,30/11/2024,Q-01\n", /^id: /],
  [
    "ids that come again",
    "sex,fare,day,id\nM,5.0,30/11/2024,P-01\nM,5.0,30/11/2024,P-01\n",
    /^id: ids that come again/,
  ],
])("finds %s", (_, synthetic, fault) => {
  expect(faults(synthetic)).toEqual([expect.stringMatching(fault)]);
});

it.each([
  ["a quote that stays open", 'a,b\n1,"2\n'],
  ["text after a closing quote", 'a,b\n1,"2"x\n'],
  ["a row that is too short", "a,b\n1\n"],
  ["a blank line", "a,b\n\n1,2\n"],
])("refuses %s", (_, text) => {
  expect(() => strictTable(utf8(text), {})).toThrow();
});
