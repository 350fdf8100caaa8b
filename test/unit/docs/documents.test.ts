import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRoutes } from '../../../src/http/routes.ts';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { ALL_FEATURES, familiesOf } from '../../features.ts';
import { routeSourcesOf } from '../../route-sources.ts';

const ROOT = join(import.meta.dirname, '../../..');

const documents = ['', 'docs', 'docs/decisions', 'docs/runbooks'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

function read(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** The headings of a document as GitHub names them in links. */
function anchorsOf(document: string): readonly string[] {
  return Array.from(read(document).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

type Link = { readonly target: string; readonly anchor: string | undefined };

/** Links of a document to files and headings of this repository. */
function linksOf(document: string): readonly Link[] {
  const text = read(document).replaceAll(/^```.*?^```/gms, '');
  return Array.from(text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g), ([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    return { target: path === '' ? document : relative(ROOT, join(ROOT, dirname(document), path)), anchor };
  });
}

function isDead({ target, anchor }: Link): boolean {
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

const self = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' });
const families = new Set([...familiesOf(ALL_FEATURES), ...self.families].map(({ name }) => name));

/** Documents that tell what is gone. */
const TELLS_OF_THE_PAST = ['CHANGELOG.md', 'docs/STABILITY.md'];

/** Names of metrics of ours; the parts of histograms are theirs, and what ends in _ stands for several. */
function unknownMetrics(document: string): readonly string[] {
  const named = read(document).match(/(?<![\w:/.])hoster_[a-z0-9_]+(?![\w:*{}]*\.)/g) ?? [];
  return named.filter(
    (name) =>
      !name.endsWith('_') && !families.has(name) && !families.has(name.replace(/_(bucket|sum|count)$/, '')),
  );
}

const rules = readFileSync(join(ROOT, 'config/prometheus/hoster.rules.yml'), 'utf8');
const alerts = new Set(rules.match(/(?<=alert: )Hoster\w+/g));

function unknownAlerts(document: string): readonly string[] {
  return (read(document).match(/\bHoster[A-Z]\w+/g) ?? []).filter((name) => !alerts.has(name));
}

describe('SECURITY.md', () => {
  it('says what requests can change, and which packages run', () => {
    const changing = [...createRoutes(routeSourcesOf())].flatMap(([path, { methods }]) =>
      methods.filter((method) => method !== 'GET').map((method) => ({ path, method })),
    );
    const text = read('SECURITY.md');
    const unsaid = changing.filter(
      ({ path, method }) => !text.includes(path) || !text.includes(`\`${method}`),
    );
    expect(unsaid).toEqual([]);
    const { dependencies } = JSON.parse(read('package.json'));
    const named = /needs these packages directly: ([^.]+)\./.exec(text)?.[1]?.split(/,\s+/);
    expect(named).toEqual(Object.keys(dependencies));
  });
});

describe.each(documents)('%s', (document) => {
  it('links to files and headings that exist', () => {
    expect(linksOf(document).filter(isDead)).toEqual([]);
  });

  it('names metrics and alerts that exist', () => {
    if (TELLS_OF_THE_PAST.includes(document)) return;
    expect([...unknownMetrics(document), ...unknownAlerts(document)]).toEqual([]);
  });
});
