// What the tests run in a page: a GPU of Chromium's.
import { webGpu } from "../../src/gpu/webgpu.js";
import { serve } from "../served.js";
import { testGpu } from "./test-gpu.js";

serve(testGpu(webGpu(async () => navigator.gpu)));
