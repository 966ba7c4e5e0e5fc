import { expect, it } from "vitest";
import { sniffDialect } from "../../src/files/sniff.js";
import { instance } from "../engine.js";
import { utf8 } from "./tables.js";

const engine = instance();

it.each([
  ["commas in texts do not make a delimiter", "a;b;c\nx, y, z;1;2\nw;3;4\nu, v;5;6\n", ";", 0],
  ["quoted delimiters do not count", 'a,b\n"1;2;3;4",x\n"5;6;7;8",y\n', ",", 0],
  ["one column has the comma", "a\n1\n2\n", ",", 0],
  ["a header alone is enough", "a\tb\tc", "\t", 0],
  ["the last record may be cut", "a,b,c\n1,2,3\n4,5", ",", 0],
  ["a title is skipped", "All people, 2019\n\na,b,c,d\n1,2,3,4\n5,6,7,8\n", ",", 2],
  ["a padded title is skipped", "Title,,,\na,b,c,d\n1,2,3,4\n", ",", 1],
  ["CR and CRLF are line ends", "Title\r\nMore\ra,b\r\n1,2\r\n3,4\r\n", ",", 2],
  ["a quoted title of two lines is two lines", '"Title\nof it"\na,b,c\n1,2,3\n4,5,6\n', ",", 2],
  ["a header narrower than its records stays", "a,b\n1,2,\n3,4,\n", ",", 0],
  ["a header with an empty name stays", ",name\n0,x\n1,y\n", ",", 0],
  ["blank lines above a header are not skipped", "\n\na,b\n1,2\n", ",", 0],
])("%s", (_, text, delimiter, skipLines) => {
  expect(sniffDialect(engine, utf8(text), {})).toEqual({ delimiter, skipLines });
});

it("what is stated is not sniffed", () => {
  expect(sniffDialect(engine, utf8("a;b\n1;2\n"), { delimiter: "," })).toEqual({ delimiter: ",", skipLines: 0 });
  expect(sniffDialect(engine, utf8("t\na;b\n1;2\n"), { skipLines: 0 })).toEqual({ delimiter: ";", skipLines: 0 });
});
