import { defineConfig } from 'vitest/config';

/**
 * One project a kind of check; the first three need nothing but npm, `e2e` needs Debian's Prometheus, and `image`, what is
 * shipped, built and installed for real, needs a package registry and skips what it lacks a tool for.
 */
const project = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('unit', 20_000),
      project('properties', 60_000),
      project('integration', 20_000),
      project('e2e', 120_000),
      project('image', 300_000),
    ],
  },
});
