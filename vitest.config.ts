import { defineConfig } from 'vitest/config';

/**
 * One project for each kind of check. The first three need nothing but npm, `e2e` needs Debian's Prometheus, and `image`
 * needs a package registry and skips checks whose tools are missing. Files that share nothing with each other by design
 * run without isolation, so that a module is loaded once and not once for each file.
 *
 * @param maxConcurrency tests of a file at a time, where they may run side by side: many that wait, or few that compute
 */
const project = (name: string, testTimeout: number, isolate: boolean, maxConcurrency: number) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    isolate,
    maxConcurrency,
  },
});

export default defineConfig({
  test: {
    // One more than the cores of CI, since some files wait for processes and time limits.
    maxWorkers: 3,
    projects: [
      project('unit', 20_000, false, 10),
      project('properties', 60_000, false, 10),
      project('integration', 20_000, false, 30),
      project('e2e', 120_000, true, 4),
      project('image', 300_000, true, 10),
    ],
  },
});
