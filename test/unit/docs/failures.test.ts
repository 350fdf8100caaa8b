import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { familiesOf } from '../../../src/metrics/families.ts';
import { CATALOGUE } from '../../faults/catalogue.ts';
import { FAULT_GROUPS } from '../../faults/effects/fault-groups.ts';
import { ALL_FEATURES } from '../../features.ts';
import { FAILURE_MODEL, failuresDocument } from './failures.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENT = failuresDocument();

describe('docs/FAILURES.md', () => {
  it('is current: run `npm run docs` after a change of the symptoms', async () => {
    await expect(DOCUMENT).toMatchFileSnapshot('../../../docs/FAILURES.md');
  });

  it('has every fault of the catalogue once, and no other', () => {
    const documented = FAULT_GROUPS.flatMap(({ effects }) => Object.keys(effects));
    expect(documented.toSorted()).toEqual(CATALOGUE.map(({ name }) => name).toSorted());
  });

  it('names only metrics that exist', () => {
    const self = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' });
    const known = [...familiesOf(ALL_FEATURES), ...self.families];
    const names = new Set(known.map(({ name }) => name));
    const mentioned = new Set(DOCUMENT.match(/\bhoster_[a-z0-9_]+/g));
    expect([...mentioned].filter((name) => !names.has(name))).toEqual([]);
  });

  it('names only alerts that exist', () => {
    const folder = join(ROOT, 'config/prometheus');
    const rules = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const known = new Set(rules.join('\n').match(/(?<=alert: )Hoster\w+/g));
    const mentioned = new Set(DOCUMENT.match(/\bHoster[A-Z]\w+/g));
    expect([...mentioned].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the catalogue of faults', () => {
  it('has each name once, over the switchboard and the gateway', () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

/** The rows of the tables: a failure, and in the last column a fault or a file of tests with the words of one of them. */
const rows = Array.from(
  FAILURE_MODEL.matchAll(/^\| (?!failure|-)(.+?) \| .+ \| (?:`([a-z0-9-]+)`|(\S+\.test\.ts): (.+)) \|$/gm),
  ([, failure = '', fault, file, words]) => ({ failure, fault, file, words }),
);

describe('the failure model', () => {
  it.each(rows)('"$failure" has a test', ({ fault, file, words }) => {
    if (fault !== undefined) expect(CATALOGUE.map(({ name }) => name)).toContain(fault);
    if (file !== undefined) expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain(words);
  });

  it('has each failure once, and none in another form', () => {
    const failures = rows.map(({ failure }) => failure);
    expect(failures).toEqual([...new Set(failures)]);
    expect(failures.length).toBe(FAILURE_MODEL.match(/^\| (?!failure)/gm)?.length);
  });
});
