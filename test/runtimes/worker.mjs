// A worker of an edge runtime that uses standin: it receives vectors and returns hashes, including the hash of a table
// that two threads were asked to share.
import * as standin from "standin";
import { job, measuredBy } from "./job.mjs";

export default {
  async fetch(request) {
    const vectors = await request.json();
    return Response.json({ made: await job(standin, vectors), shared: await measuredBy(2, standin) });
  },
};
