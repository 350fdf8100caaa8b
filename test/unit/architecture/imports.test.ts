import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../../src');

/** The layers, lowest first: a module imports from lower layers and from itself. */
const LAYERS: readonly (readonly string[])[] = [
  ['model', 'base', 'text'],
  ['api', 'metrics', 'config', 'judge'],
  ['alerts', 'fleet'],
  ['poll'],
  ['state'],
  ['http'],
  ['daemon'],
  ['cli'],
  ['features'],
  ['features.ts'],
  ['program.ts'],
  ['main.ts'],
];

/**
 * The importers of each external package: one, so that replacing it is a change in one place. zod has more: data that
 * this process did not write enters from the API, the configuration, the web configuration, the state file, maintenance requests,
 * the answers of a daemon, and what `setup` finds.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  undici: ['base/outbound.ts'],
  'node-cron': ['config/cron.ts'],
  'prom-client': ['metrics/exporter-metrics.ts'],
  'p-queue': ['api/request-policy.ts', 'http/web-config/auth.ts'],
  papaparse: ['base/spreadsheet.ts'],
  pino: ['base/log.ts'],
  yaml: ['config', 'features/setup'],
  nodemailer: ['features/setup/network.ts'],
  diff: ['features/setup/files.ts'],
  zod: ['api', 'config', 'fleet', 'http/web-config', 'features'],
  grammy: ['base/telegram.ts', 'features/chat/bot.ts'],
  bcryptjs: ['http/web-config/bcrypt.ts'],
  '@fluent/bundle': ['text/catalogs.ts'],
  preact: ['features'],
  'preact/hooks': ['features'],
  uplot: ['features/history/browser/chart.tsx'],
};

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

const imports: readonly Import[] = files.flatMap((from) =>
  Array.from(
    readFileSync(join(SOURCE, from), 'utf8').matchAll(
      /\b(?:import|export) (type )?[^;']*?\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g,
    ),
    (match) => ({
      from,
      to: match[2] ?? match[3] ?? '',
      isType: match[1] !== undefined,
    }),
  ),
);

const own: readonly Import[] = imports
  .filter(({ to }) => to.startsWith('.'))
  .map(({ from, to, isType }) => ({
    from,
    to: relative(SOURCE, join(SOURCE, dirname(from), to)),
    isType,
  }));

const packages: readonly Import[] = imports.filter(
  ({ to }) => !to.startsWith('.') && !to.startsWith('node:'),
);

function moduleOf(file: string): string {
  return file.split(posix.sep)[0] ?? file;
}

function layerOf(file: string): number {
  return LAYERS.findIndex((modules) => modules.includes(moduleOf(file)));
}

/** Files of the lowest layer may import each other, except for the model, which imports nothing. */
function isBelow(lower: string, upper: string): boolean {
  if (layerOf(lower) === 0 && layerOf(upper) === 0) return moduleOf(upper) !== 'model';
  return layerOf(lower) < layerOf(upper);
}

function show({ from, to }: Import): string {
  return `${from} → ${to}`;
}

describe('the source', () => {
  it('has a layer for every module', () => {
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  it('imports downwards only', () => {
    const upwards = own.filter(({ from, to }) => moduleOf(from) !== moduleOf(to) && !isBelow(to, from));
    expect(upwards.map(show)).toEqual([]);
  });

  it('imports another feature for the page only: its toolkit, or a section in its list', () => {
    const featureOf = (file: string): string => file.split(posix.sep)[1] ?? '';
    const others = own.filter(
      ({ from, to }) =>
        from.startsWith('features/') && to.startsWith('features/') && featureOf(from) !== featureOf(to),
    );
    const isOfPage = ({ from, to }: Import): boolean =>
      from === 'features/page/browser/sections.ts' || to.startsWith('features/page/browser/');
    expect(others.filter((each) => !isOfPage(each)).map(show)).toEqual([]);
  });

  it('imports each external package in one place', () => {
    const elsewhere = packages.filter(({ from, to }) => {
      const places = PACKAGES[to] ?? [];
      return !places.some((place) => from === place || from.startsWith(`${place}/`));
    });
    expect(elsewhere.map(show)).toEqual([]);
  });

  it('bundles nothing into the page but the page, the fleet, the model, texts, time zones, and two packages', () => {
    const bundled = new Set(['features/page/browser/main.tsx']);
    // The build replaces the catalogs that read files.
    for (const file of bundled)
      for (const { from, to, isType } of own)
        if (from === file && !isType) bundled.add(to.replace('text/catalogs.ts', 'text/catalogs.page.ts'));
    const external = packages.filter(({ from, isType }) => bundled.has(from) && !isType);
    const names = new Set(external.map(({ to }) => to.split('/')[0]));
    expect([...names].filter((name) => name !== 'preact' && name !== 'uplot')).toEqual([]);
    const modules = new Set(Array.from(bundled, moduleOf));
    expect([...modules].toSorted()).toEqual(['base', 'features', 'fleet', 'model', 'text']);
    const base = ['base/steps.ts', 'base/time-zone.ts'];
    expect([...bundled].filter((file) => moduleOf(file) === 'base' && !base.includes(file))).toEqual([]);
  });

  it('has a model that imports nothing but itself', () => {
    const abroad = imports.filter(({ from, to }) => moduleOf(from) === 'model' && !to.startsWith('./'));
    expect(abroad.map(show)).toEqual([]);
  });

  it.each([
    [
      'reads the system time',
      /\bDate\.now\(|\bperformance\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(/,
      ['base/clock.ts', 'features/page/browser/exporter.ts'],
    ],
    ['ends the process', /\bprocess\.exit\(/, ['main.ts', 'program.ts']],
    ['combines abort signals, which leaks on Node 20', /\bAbortSignal\.any\(/, []],
    ['draws random numbers', /\bMath\.random\b/, ['program.ts']],
  ])('%s in one place only', (_, pattern, places: readonly string[]) => {
    const offenders = files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')));
    expect(offenders.filter((file) => !places.includes(file))).toEqual([]);
  });
});
