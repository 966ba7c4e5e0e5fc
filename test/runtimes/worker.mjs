// A worker of an edge runtime that uses standin: vectors in, hashes out, and that of a table which two threads were
// asked to share.
import * as standin from "standin";
import { job, measuredBy } from "./job.mjs";

export default {
  async fetch(request) {
    const vectors = await request.json();
    return Response.json({ made: await job(standin, vectors), shared: await measuredBy(2, standin) });
  },
};
