import { bytesOf, records } from "../../test/reference/parser.js";
import { accepted, type Kernel } from "./kernel.js";

const TEXT = '31,"Private",77516,Bachelors,13,"Never-married","Adm-clerical",Male,2174,0,40\r\n'.repeat(12_000);
const BYTES = bytesOf(TEXT);
const CHUNK = 32_768;
const SHORT = TEXT.slice(0, 80_000);

export default {
  element: "byte",
  elements: BYTES.length,
  open(engine) {
    const { exports } = engine;
    const parser = exports.parserOpen(44);
    return () => {
      for (let at = 0; at < BYTES.length; at += CHUNK) {
        const bytes = BYTES.subarray(at, at + CHUNK);
        engine.write(exports.parserText(parser, bytes.length), bytes);
        accepted(exports.parserPush(parser, bytes.length));
      }
    };
  },
  oracle: { elements: SHORT.length, run: () => records(SHORT, ",") },
} satisfies Kernel;
