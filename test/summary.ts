import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Ends a run by printing what was skipped and why, and one line `N passed, N failed, N skipped` that scripts can read.
 */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    for (const test of tests)
      if (test.result().state === "skipped") console.log(`skipped: ${test.fullName} (${reasonOf(test)})`);
    const broken = modules.filter((module) => module.errors().length).length + unhandled.length;
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" && result.note) || "no reason was given";
}
