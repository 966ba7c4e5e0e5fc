import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { onTestFinished } from "vitest";

const TYPES: Record<string, string> = {
  ".html": "text/html;charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

/**
 * Serves a folder on this machine until the test ends, under a content policy that allows only its own scripts,
 * WebAssembly and workers.
 */
export async function serve(folder: string): Promise<string> {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'";
  const server = createServer(({ url = "/" }, response) => {
    try {
      const { pathname } = new URL(url, "http://127.0.0.1");
      const body = readFileSync(join(folder, pathname));
      const type = TYPES[extname(pathname)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
