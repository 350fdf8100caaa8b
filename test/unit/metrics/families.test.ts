import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzipBody } from '../../../src/metrics/page.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { ALL_FEATURES, familiesOf } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';
import { renderedPage } from '../../rendered-page.ts';
import { FLEET_OF_EVERYTHING } from './fleet-of-everything.ts';

const EVERYTHING = familiesOf(ALL_FEATURES);

async function textOf(snapshot: Snapshot): Promise<string> {
  const page = await renderedPage(EVERYTHING, snapshot);
  return gunzipSync(Buffer.concat(gzipBody(page).chunks)).toString();
}

const TEXT = await textOf(FLEET_OF_EVERYTHING);

describe('the exposition of a fleet with everything', () => {
  it('equals the golden file', async () => {
    await expect(TEXT).toMatchFileSnapshot('golden/exposition.txt');
  });

  it('is byte for byte what the plain renderer prints', () => {
    expect(TEXT).toBe(plainExposition(EVERYTHING, FLEET_OF_EVERYTHING));
  });

  it('has a sample of every family', () => {
    const sampled = new Set(TEXT.match(/^[a-z_]+(?=\{)/gm));
    expect(EVERYTHING.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it('shows no facts of an expired reading, but the judgement and the times that stand', () => {
    const expired = TEXT.split('\n').filter(
      (line) => line.includes('account="expired"') && !line.startsWith('hoster_exporter_'),
    );
    const judgement =
      /^hoster_(?:devices_with_problem|devices_in_maintenance|device_problem_since_timestamp_seconds|device_(?:time|first_listed_timestamp)_seconds|device_interruptions)\{/;
    const facts = expired.filter((line) => /^hoster_(?:device|tunnel)/.test(line) && !judgement.test(line));
    expect(facts).toEqual([]);
    expect(expired).toContain('hoster_devices_with_problem{account="expired",problem="offline"} 0');
    expect(expired).toContain('hoster_balance_available_cents{account="expired"} 100');
  });

  it('never has the same series twice', () => {
    const names = TEXT.match(/^[^#\n]+(?= )/gm) ?? [];
    expect(names.length).toBe(new Set(names).size);
  });
});
