// What standin-core.wasm runs (core/build.mjs), for hosts in any language.
import { VERSION } from "./core/version.js";
import { serve } from "./core-host.js";
import { type PlanOptions, plan } from "./frame/plan.js";
import { parseSchema } from "./schema/schema.js";

interface PlanRequest {
  readonly schema: object;
  readonly options: PlanOptions;
}

serve({
  version: () => ({ json: VERSION, parts: [] }),
  plan({ json }) {
    const { schema, options } = json as PlanRequest;
    return { json: plan(parseSchema(schema), options), parts: [] };
  },
});
