import { defineConfig } from 'vitest/config';

/**
 * One project for each kind of check. The first three need nothing but npm, `e2e` needs Debian's Prometheus, and `image`
 * needs a package registry and skips checks whose tools are missing. Files that share nothing with each other by design
 * run without isolation, so that a module is loaded once and not once for each file.
 */
const project = (name: string, testTimeout: number, isolate = true) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout, isolate },
});

export default defineConfig({
  test: {
    // One more than the cores of CI, since some files wait for processes and time limits.
    maxWorkers: 3,
    maxConcurrency: 30,
    projects: [
      project('unit', 20_000, false),
      project('properties', 60_000, false),
      project('integration', 20_000, false),
      project('e2e', 120_000),
      project('image', 300_000),
    ],
  },
});
