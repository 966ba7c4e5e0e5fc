// A worker of an edge runtime that uses standin: vectors in, hashes out.
import * as standin from "standin";
import { job } from "./job.mjs";

export default {
  async fetch(request) {
    return Response.json(await job(standin, await request.json()));
  },
};
