// The entry of a page that uses standin: the input for the bundlers.
import * as standin from "standin";
import { job, measuredBy } from "./job.mjs";

globalThis.run = (vectors) => job(standin, vectors);
globalThis.runInThreads = (threads) => measuredBy(threads, standin);
