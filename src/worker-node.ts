// What a thread of Node runs, as one script.
import { parentPort } from "node:worker_threads";
import { serve } from "./worker.js";

serve(parentPort as unknown as Parameters<typeof serve>[0]);
