// Before the tests (npm test): installs Debian's Chromium where it is missing, if that is possible without asking anyone for a password.
// Nothing here fails: tests that need a browser and find none are skipped, and say so.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const CHROMIUM = "/usr/bin/chromium";
const quietly = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

if (!existsSync(CHROMIUM) && !process.env.STANDIN_CHROMIUM) {
  const root = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (!existsSync("/usr/bin/apt-get") || !quietly(...root, "true")) {
    console.log("There is no Chromium, and no way to install it: tests in the browser will be skipped.");
  } else {
    console.log("Installing Chromium for the tests in the browser …");
    const apt = (...args) => quietly(...root, "apt-get", "-q", "-y", ...args);
    if (!apt("update") || !apt("install", "--no-install-recommends", "chromium"))
      console.log("It could not be installed: tests in the browser will be skipped.");
  }
}
