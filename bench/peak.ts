import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Runs Node with these arguments. Returns its peak resident memory in MB (on Linux only, otherwise 0). */
export async function peakOf(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let peak = 0;
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {} // the process has just ended, or there is no /proc here
  }, 10);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with exit code ${code}: ${said}`);
  return peak;
}
