// Runs before the tests (npm test): installs Debian's Chromium if it is missing. Tests that need a browser and find
// none are skipped, and say so.
import { existsSync } from "node:fs";
import { installFromDebian } from "./debian.mjs";

if (!existsSync("/usr/bin/chromium") && !process.env.STANDIN_CHROMIUM)
  installFromDebian("chromium", "Chromium", "tests in the browser will be skipped");
