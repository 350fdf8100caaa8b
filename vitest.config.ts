import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Last for minutes, one test after the other: first those that mostly wait. */
const LONGEST = [
  '/test/e2e/incidents.test.ts',
  '/test/e2e/fleet-page.test.ts',
  '/test/long/deletable-features.test.ts',
  '/test/month/month.test.ts',
];

/**
 * Runs the longest files, then the long integration tests first and the short unit tests last, so that all workers end at
 * about the same time.
 */
class ByLength extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((each) => moduleId.endsWith(each));
      return found === -1 ? LONGEST.length : found;
    };
    return files.toSorted(
      (one, other) => place(one) - place(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

/** Compute for minutes: random cases, days of simulated farms, and the copies without a feature. */
const LONG = [
  'test/long/*.test.ts',
  'test/properties/**/*.test.ts',
  'test/unit/alerts/{coverage,first-night}.test.ts',
  'test/unit/features/maintenance/cover.test.ts',
  'test/integration/demo-history.test.ts',
  'test/unit/features/month/day-in-month-file.test.ts',
];

/** Start the program dozens of times, or measure times and memory: each fault of the API at each moment, and crowds. */
const TIMED = [
  'test/timed/*.test.ts',
  'test/integration/faults/*.test.ts',
  'test/integration/process-*.test.ts',
  'test/integration/hardening/{crowds,pipelining}.test.ts',
  'test/integration/web-config/{commands,flood}.test.ts',
];

/** Minutes of farms in seconds: a second in which they wait for a core is a minute in which no phone reports. */
const STORIES = ['test/e2e/stories.test.ts'];

const filesIn = (folders: string): readonly string[] => [`test/${folders}/**/*.test.ts`];

/**
 * @param maxConcurrency tests of a file at a time, where they may run side by side: many that wait, or few that compute
 */
const project = (
  name: string,
  include: readonly string[],
  testTimeout: number,
  isolate: boolean,
  maxConcurrency: number,
  exclude: readonly string[] = [],
) => ({
  test: {
    name,
    include: [...include],
    exclude: [...exclude],
    testTimeout,
    hookTimeout: testTimeout,
    isolate,
    maxConcurrency,
  },
});

export default defineConfig({
  test: {
    // As many as the cores of CI: each loads all modules once.
    maxWorkers: 2,
    sequence: { sequencer: ByLength },
    projects: [
      // Needs nothing but npm. Some of its tests take 20 s, and five times that on a busy core. Its files share nothing
      // with each other, so that a module is loaded once for all of them.
      project('npm', filesIn('{integration,unit}'), 180_000, false, 30, [...LONG, ...TIMED]),
      // In CI it gets only the CPU that the others leave, and takes up to ten times as long as alone.
      project('long', LONG, 900_000, false, 30),
      project('timed', TIMED, 180_000, false, 30),
      // Needs Debian's Prometheus, and the programs that commands of the documents use.
      project('e2e', filesIn('e2e'), 120_000, true, 2, STORIES),
      project('stories', STORIES, 120_000, true, 2),
      // Takes both cores for a minute, beside which the stories of e2e, which run in real time, would be late.
      project('month', filesIn('month'), 300_000, true, 4),
      // Needs a package registry, and skips checks whose tools are missing.
      project('image', filesIn('image'), 300_000, true, 10),
    ],
  },
});
