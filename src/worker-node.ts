// The script of a thread in Node.
import { parentPort } from "node:worker_threads";
import { serve } from "./worker.js";

serve(parentPort as unknown as Parameters<typeof serve>[0]);
