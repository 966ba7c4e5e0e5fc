// npm run example: builds standin, makes a stand-in of examples/ma2019.csv at ε = 1 and shows what came out.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const run = (...args) => {
  console.log(`\n$ standin ${args.join(" ")}`);
  execFileSync(process.execPath, ["dist/cli.js", ...args], { stdio: "inherit" });
};

execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
const schema = "examples/ma2019.schema.json";
run("synth", "examples/ma2019.csv", "--schema", schema, "--epsilon", "1", "-o", "synthetic.csv");
console.log("\nThe first rows of synthetic.csv:");
console.log(readFileSync("synthetic.csv", "utf8").split("\n").slice(0, 6).join("\n"));
run("evaluate", "--real", "examples/ma2019.csv", "--synthetic", "synthetic.csv", "--schema", schema);
