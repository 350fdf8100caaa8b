import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { familiesOf } from '../../../src/metrics/families.ts';
import { CATALOGUE } from '../../faults/catalogue.ts';
import { FAULT_GROUPS } from '../../faults/effects/fault-groups.ts';
import { ALL_FEATURES } from '../../features.ts';
import { FAILURE_MODEL, failuresDocument } from './failures.ts';
import { testThatRowsAreShown } from './shown-by.ts';

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

describe('the failure model', () => testThatRowsAreShown(FAILURE_MODEL));
