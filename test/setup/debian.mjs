// Installs a Debian package if that is possible without asking for a password. Nothing here fails.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const quietly = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/**
 * @param the package's name in messages
 * @param otherwise what happens without the package
 */
export function installFromDebian(name, what, otherwise) {
  const root = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (!existsSync("/usr/bin/apt-get") || !quietly(...root, "true")) {
    console.log(`There is no ${what}, and no way to install it: ${otherwise}.`);
    return;
  }
  console.log(`Installing ${what} for the tests …`);
  const apt = (...args) => quietly(...root, "apt-get", "-q", "-y", ...args);
  if (!apt("update") || !apt("install", "--no-install-recommends", name))
    console.log(`It could not be installed: ${otherwise}.`);
}
