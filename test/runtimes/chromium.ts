import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** The Chromium that tests use. */
export const CHROMIUM = process.env.STANDIN_CHROMIUM ?? "/usr/bin/chromium";

/** The reason why no page can be opened; `false` if one can. */
export const noChromium =
  !existsSync(CHROMIUM) && `there is no ${CHROMIUM}; STANDIN_CHROMIUM can name another Chromium`;

/**
 * Opens a page and does something with it. Fails on errors and warnings of the page, including what its content policy
 * refused, and on requests that leave this machine.
 */
export type Visit = (url: string, act: (page: Page) => Promise<unknown>) => Promise<void>;

/** Headless Chromium for the tests of one file: call it at the file's top. */
export function browser(): Visit {
  let running: Browser | undefined;
  beforeAll(async () => {
    if (noChromium) return;
    const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update"];
    running = await chromium.launch({ executablePath: CHROMIUM, args });
  });
  afterAll(() => running?.close());
  return async (url, act) => {
    const context = await running!.newContext();
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(String(error)));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
    page.on("request", (request) => isNear(request.url()) || wrong.push(`A request to ${request.url()}`));
    await page.goto(url);
    await act(page);
    await context.close();
    if (wrong.length) throw new Error(`The page did what it should not:\n${wrong.join("\n")}`);
  };
}

const isNear = (url: string): boolean => /^(file|blob|data):|^http:\/\/127\.0\.0\.1:/.test(url);
