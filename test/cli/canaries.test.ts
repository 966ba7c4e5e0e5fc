// Recognisable cells are planted wherever a cell can occur. None of them may show on screen or in a file, whether a run
// ends well or badly.
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type Ended, Folder, type Running, synth as synthOf } from "./cli.js";

const FIELDS = [
  { name: "note", type: "string", standin: { role: "drop" } },
  { name: "who", type: "string", standin: { role: "drop" } },
  { name: "id", type: "string", standin: { role: "id" } },
  { name: "group", type: "string", constraints: { enum: ["a", "b"] }, standin: { other: "c" } },
  { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
  { name: "price", type: "number", constraints: { minimum: 0, maximum: 500 } },
  { name: "smokes", type: "boolean" },
  { name: "born", type: "date", constraints: { minimum: "1990-01-01", maximum: "1999-12-31" } },
];
const LEDGER = { epsilon: 30, delta: 1e-8, neighbours: "add-remove", unit: { maxRows: 2 }, spent: [] };
const SCHEMA = { fields: FIELDS, standin: { unit: { column: "who", maxRows: 2 } } };
const HEADER = ["canary column", ...FIELDS.map(({ name }) => name)].join(",");

/** Rows of planted cells: a word that nothing else contains, and a number that no noise produces. */
const PLANTED = [
  "canary unknown,canary note,canary who,canary@example.org,canary unlisted,canary 7,canary 8,canary 9,canary 1999-01-01",
  "?,?,w1,1,a,471147114711,471147114711.25,1,4711-47-11",
  "?,canary short",
  "?,?,w2,2,b,3,4,true,1991-01-01,canary extra,471147114711",
  '?,"canary, quoted"canary,w3,3,"canary""s",3,4,true,1991-01-01',
  "?,\xff\xfecanary\x80,\xc3canary,\x80canary,\xffcanary,\x00canary,4,true,1991-01-01",
  "canary ".repeat(20_000),
];
const OPEN_QUOTE = '?,?,w4,4,"canary open,3,4,true,1991-01-01\n471147114711,canary\n';
/** Noise may produce the digits by chance, in fewer than one run in 10,000. */
const CANARY = /canary|47114711|4711-47-11/i;

const ordinary = (at: number) =>
  `?,?,w${at % 40},${at},${at % 3 ? "a" : "b"},${at % 11},${at % 500},true,199${at % 10}-05-17`;
const ROWS = [...PLANTED, ...Array.from({ length: 80 }, (_, at) => ordinary(at))];
const TABLE = Buffer.from(`${HEADER}\n${ROWS.join("\n")}\n${OPEN_QUOTE}`, "latin1");

/** A run whose files, and its folder's temporary files, are read again and again while it runs. */
class Watched {
  readonly folder = new Folder();
  /** Every name that a file of the run had at any time. */
  readonly names = new Set<string>();
  /** Everything that was found in one of them, or printed. */
  readonly texts = new Set<string>();
  readonly #inputs: ReadonlySet<string>;
  readonly #watchers: readonly FSWatcher[];

  constructor(table: Buffer) {
    for (const name of ["out", "tmp"]) mkdirSync(this.folder.at(name));
    this.folder.write("people.csv", table);
    this.folder.write("people.csv.gz", gzipSync(table).subarray(0, -9));
    this.folder.write("people.schema.json", JSON.stringify(SCHEMA));
    this.folder.write("out/ledger.json", JSON.stringify(LEDGER));
    this.#inputs = new Set(this.folder.names());
    this.#watchers = ["", "out", "tmp"].map((place) =>
      watch(this.folder.at(place), (_, name) => this.names.add(join(place, name!))),
    );
  }

  start(args: readonly string[], before = ""): Running {
    return this.folder.start(args, {
      before: `export TMPDIR="$PWD/tmp" NODE_OPTIONS=--stack-trace-limit=100; ${before}`,
    });
  }

  /** Keeps reading until a run ends. */
  async end({ ended }: Running): Promise<Ended> {
    let end: Ended | undefined;
    ended.then((found) => {
      end = found;
    });
    while (!end) {
      this.#readFiles();
      await sleep(1);
    }
    this.#readFiles();
    await sleep(20); // for the last names
    for (const watcher of this.#watchers) watcher.close();
    for (const text of [end.stdout, end.stderr]) this.texts.add(text);
    return end;
  }

  #readFiles(): void {
    for (const name of readdirSync(this.folder.path, { recursive: true, encoding: "utf8" }))
      if (!this.#inputs.has(name)) this.#readFile(name);
  }

  #readFile(name: string): void {
    try {
      const bytes = readFileSync(this.folder.at(name));
      this.texts.add(textOf(name.endsWith(".gz") ? gunzipSync(bytes) : bytes));
    } catch {} // it is a folder, has just been renamed, or is not complete yet
  }
}

/** Bytes as text in which a word can be found, whether they are UTF-8 or UTF-16. */
const textOf = (bytes: Buffer): string => bytes.toString("latin1").replaceAll("\0", "");

/** The places where a canary shows: a name, a file or a message. */
const shown = ({ names, texts }: Watched): string[] => [...names, ...texts].filter((text) => CANARY.test(text));

const OPTIONS = ["--schema", "people.schema.json", "--epsilon", "8"];
const synth = (table: string, ...more: string[]) => ["synth", table, ...OPTIONS, ...more];
const FULL = "trap '' XFSZ; ulimit -f 0; ";

/** How a run is called, what is done to it, and how it ends. */
interface Course {
  readonly args: readonly string[];
  readonly before?: string;
  readonly table?: Buffer;
  readonly interrupted?: RegExp;
  readonly code: number;
}

const FIRST_LINE_IS_A_PERSON = Buffer.from(`${PLANTED[0]}\n${TABLE}`, "latin1");
const COLUMN_TWICE = Buffer.from(TABLE.toString("latin1").replace("canary column", "score"), "latin1");

const COURSES: Readonly<Record<string, Course>> = {
  "to a file, with a release and a ledger": {
    args: synth("people.csv", "-o", "out/out.csv", "--release", "out/r.json", "--ledger", "out/ledger.json"),
    code: 0,
  },
  "to a packed file": { args: synth("people.csv", "-o", "out/out.csv.gz"), code: 0 },
  "to standard output": { args: synth("-"), code: 0 },
  "whose file is full": { args: synth("people.csv", "-o", "out/out.csv"), before: FULL, code: 2 },
  "whose device is full": { args: synth("people.csv", "-o", "/dev/full"), code: 2 },
  "whose packed table is cut": { args: synth("people.csv.gz", "-o", "out/out.csv"), code: 2 },
  "whose first line is a person": {
    args: synth("people.csv", "-o", "out/out.csv"),
    table: FIRST_LINE_IS_A_PERSON,
    code: 2,
  },
  "with a column that comes twice": {
    args: synth("people.csv", "-o", "out/out.csv"),
    table: COLUMN_TWICE,
    code: 2,
  },
  "with another delimiter": { args: synth("people.csv", "-o", "out/out.csv", "--delimiter", ";"), code: 2 },
  "with another encoding": { args: synth("people.csv", "-o", "out/out.csv", "--encoding", "utf-16le"), code: 2 },
  "with an option that is none": { args: synth("people.csv", "-o", "out/out.csv", "--row", "3"), code: 2 },
  "interrupted while it reads": { args: synth("-", "-o", "out/out.csv"), interrupted: /^reading$/m, code: 130 },
  "interrupted while it searches": {
    args: synth("people.csv", "-o", "out/out.csv", "--search", "paper", "--rows", "20000"),
    interrupted: /^searching: generation/m,
    code: 130,
  },
};

/** Files that a run may create, however it ends. */
const MADE =
  /^out(\/(out\.csv|r\.json|ledger\.json)(\.gz|\.lock|\.[-\da-f]{36}\.\d+@[^/]+\.tmp|\.release\.json)*|\/\.[a-z.]+\.standin-tmp)?$/;

it.each(Object.entries(COURSES))("no cell shows in a run %s", async (_, { args, before, table, interrupted, code }) => {
  const watched = new Watched(table ?? TABLE);
  const run = watched.start(args, before);
  const end = watched.end(run);
  if (interrupted) {
    run.child.stdin.write(TABLE);
    await run.said(interrupted);
    run.child.kill("SIGINT");
  } else run.child.stdin.end(TABLE);
  expect((await end).code).toBe(code);
  expect(shown(watched)).toEqual([]);
  expect([...watched.names].filter((name) => !MADE.test(name))).toEqual([]);
});

it.each([
  ["a temporary file of a moment", "echo canary >tmp/x; sleep .1; rm tmp/x; "],
  ["a name", "touch tmp/canary; rm tmp/canary; "],
  ["another encoding", "printf 'c\\0a\\0n\\0a\\0r\\0y' >out/x; "],
  ["a message", "echo canary >&2; "],
])("a cell that shows in %s would be found", async (_, before) => {
  const watched = new Watched(TABLE);
  await watched.end(watched.start(["--version"], before));
  expect(shown(watched)).toHaveLength(1);
});

it("the proposal for the owner names cells, which shows that a canary can be seen", async () => {
  const watched = new Watched(TABLE);
  await watched.end(watched.start(["schema", "people.csv", "-o", "out/s.json"]));
  expect(shown(watched).length).toBeGreaterThan(0);
});

it("a release holds neither paths nor sizes nor times", async () => {
  const folder = new Folder();
  await folder.run(synthOf("--release", "r.json"));
  const text = readFileSync(folder.at("r.json"), "utf8");
  expect(text).not.toContain("people");
  expect(text).not.toContain(folder.path);
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(
    ["standin", "mechanism", "neighbours", "epsilon", "delta", "rho", "items", "schema"]
      .concat(["estimate", "stages", "columns", "delimiter", "total", "rows", "search", "guarantee"])
      .sort(),
  );
});
