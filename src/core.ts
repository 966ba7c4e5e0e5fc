// What standin-core.wasm runs (core/build.mjs), for hosts in any language.
import { serve } from "./core-host.js";
import { HANDLERS } from "./requests/handlers.js";

serve(HANDLERS);
