import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../../src');

/** The floors of the house, ground floor first: a room imports from rooms on lower floors and from itself. */
const FLOORS: readonly (readonly string[])[] = [
  ['model', 'api-key.ts', 'clock.ts', 'log.ts', 'secret.ts', 'slices.ts'],
  ['api', 'metrics', 'config', 'simulator'],
  ['poller'],
  ['http', 'state', 'plan.ts'],
  ['fleet-page'],
  ['app'],
  ['commands'],
  ['main.ts'],
];

/**
 * Where each package of others is imported: one place, so that replacing it is the work of one room. zod has
 * four, the edges at which data comes in: the API, the two configuration files, the state file.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  undici: ['api/transport.ts', 'api/receive.ts'],
  'node-cron': ['poller/schedule.ts'],
  'prom-client': ['metrics'],
  pino: ['log.ts'],
  yaml: ['config'],
  zod: ['api', 'config', 'http/web-config', 'state'],
  bcryptjs: ['http/web-config/bcrypt.ts'],
};

type Import = { readonly from: string; readonly to: string };

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

const imports: readonly Import[] = files.flatMap((from) =>
  Array.from(
    readFileSync(join(SOURCE, from), 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g),
    (match) => ({
      from,
      to: match[1] ?? match[2] ?? '',
    }),
  ),
);

const own: readonly Import[] = imports
  .filter(({ to }) => to.startsWith('.'))
  .map(({ from, to }) => ({ from, to: relative(SOURCE, join(SOURCE, dirname(from), to)) }));

const packages: readonly Import[] = imports.filter(
  ({ to }) => !to.startsWith('.') && !to.startsWith('node:'),
);

function roomOf(file: string): string {
  return file.split(posix.sep)[0] ?? file;
}

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
}

/** The files of the ground floor are single stones: they may lie on each other, and the model lies on none of them. */
function isBelow(lower: string, upper: string): boolean {
  if (floorOf(lower) === 0 && floorOf(upper) === 0) return roomOf(upper) !== 'model';
  return floorOf(lower) < floorOf(upper);
}

function show({ from, to }: Import): string {
  return `${from} → ${to}`;
}

describe('the house', () => {
  it('has a floor for every room', () => {
    expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  it('has imports that point downwards only', () => {
    const upwards = own.filter(({ from, to }) => roomOf(from) !== roomOf(to) && !isBelow(to, from));
    expect(upwards.map(show)).toEqual([]);
  });

  it('imports each external package in one place', () => {
    const elsewhere = packages.filter(({ from, to }) => {
      const places = PACKAGES[to] ?? [];
      return !places.some((place) => from === place || from.startsWith(`${place}/`));
    });
    expect(elsewhere.map(show)).toEqual([]);
  });

  it('has a model that imports nothing but itself', () => {
    const abroad = imports.filter(({ from, to }) => roomOf(from) === 'model' && !to.startsWith('./'));
    expect(abroad.map(show)).toEqual([]);
  });

  it.each([
    [
      'asks the system for the time',
      /\bDate\.now\(|\bperformance\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(/,
      ['clock.ts', 'fleet-page/exporter.ts'],
    ],
    ['ends the process', /\bprocess\.exit\(/, ['main.ts']],
    ['combines abort signals, which leaks on Node 20', /\bAbortSignal\.any\(/, []],
    ['draws random numbers', /\bMath\.random\b/, ['main.ts']],
  ])('%s in one place only', (_, pattern, places: readonly string[]) => {
    const offenders = files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')));
    expect(offenders.filter((file) => !places.includes(file))).toEqual([]);
  });
});
