// Lets one process at a time fill a folder that several share.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** How long a process waits before it looks again whether the other one is done. */
const WAIT_MS = 200;
/** No job takes as long: a lock of this age was left behind by a process that was killed. */
const KILLED_MS = 20 * 60_000;

/**
 * Runs a job while no other process runs one for the same folder.
 * @param {string} folder
 * @param {() => unknown} job
 */
export function alone(folder, job) {
  const lock = `${folder}.lock`;
  mkdirSync(dirname(lock), { recursive: true });
  while (!isTaken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  try {
    job();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isTaken(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    const stats = statSync(lock, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > KILLED_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
