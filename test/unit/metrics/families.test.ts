import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/clock.ts';
import { familiesOf } from '../../../src/metrics/families.ts';
import { createRenderer, gzipBody } from '../../../src/metrics/page.ts';
import type { Shard } from '../../../src/model/shard.ts';
import type { AccountSnapshot, Snapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  bareDevice,
  fleetBeside,
  fleetDevice,
  freshReading,
  healthyDevice,
  moneyOf,
} from '../../builders.ts';
import { ALL_FEATURES, USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';
import { FLEET_OF_EVERYTHING } from './fleet-of-everything.ts';

const EVERYTHING = familiesOf(ALL_FEATURES);
const FAMILIES = familiesOf(USUAL_FEATURES);

async function textOf(snapshot: Snapshot): Promise<string> {
  const page = await createRenderer(EVERYTHING, yieldToEventLoop)(snapshot);
  return gunzipSync(Buffer.concat(gzipBody(page).chunks)).toString();
}

const TEXT = await textOf(FLEET_OF_EVERYTHING);

describe('the exposition of a fleet with everything', () => {
  it('is the golden exposition', async () => {
    await expect(TEXT).toMatchFileSnapshot('golden/exposition.txt');
  });

  it('is byte for byte what the plain renderer prints', () => {
    expect(TEXT).toBe(plainExposition(EVERYTHING, FLEET_OF_EVERYTHING));
  });

  it('has a sample of every family', () => {
    const sampled = new Set(TEXT.match(/^[a-z_]+(?=\{)/gm));
    expect(EVERYTHING.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  it('shows no domain series of an expired reading', () => {
    const expired = TEXT.split('\n').filter(
      (line) => line.includes('account="expired"') && !line.startsWith('hoster_exporter_'),
    );
    expect(expired.filter((line) => /^hoster_(device|tunnel)/.test(line))).toEqual([]);
    expect(expired).toContain('hoster_balance_available_cents{account="expired"} 100');
  });

  it('never has the same series twice', () => {
    const names = TEXT.match(/^[^#\n]+(?= )/gm) ?? [];
    expect(names.length).toBe(new Set(names).size);
  });
});

const OTHER_SHARDS = [
  bareDevice({ id: 'x', rentalStatus: 'idle', marketplaceStatus: 'listed' }),
  bareDevice({ id: 'y', rentalStatus: 'sold', marketplaceStatus: 'listed' }),
  bareDevice({ id: 'z' }),
];

const ACCOUNT: AccountSnapshot = accountOf({
  currency: 'EUR',
  access: 'granted',
  devices: freshReading(fleetBeside(OTHER_SHARDS, fleetDevice(healthyDevice()))),
  balance: freshReading(moneyOf(1, 2)),
});

/** The series that this shard shows. */
function shownBy(shard: Shard): readonly string[] {
  const text = plainExposition(familiesOf(USUAL_FEATURES, shard), { shard, accounts: [ACCOUNT] });
  return text.split('\n').filter((line) => line.includes('{'));
}

const namesIn = (lines: readonly string[]) => new Set(lines.map((line) => line.slice(0, line.indexOf('{'))));

describe('the families of a shard', () => {
  const first = shownBy({ index: 0, total: 4 });
  const third = shownBy({ index: 2, total: 4 });

  it('show in the first shard what there is once for an account', () => {
    const names = namesIn(first);
    const once = FAMILIES.filter((family) => family.shownBy === 'first shard').map(({ name }) => name);
    expect(once.filter((name) => !names.has(name))).toEqual([]);
  });

  it('show in another shard its devices, its collectors and its listing only', () => {
    const others = [...namesIn(third)].filter((name) => !name.startsWith('hoster_device_'));
    expect(others).toEqual([
      'hoster_exporter_poll_success',
      'hoster_exporter_poll_last_success_timestamp_seconds',
      'hoster_exporter_data_state',
      'hoster_exporter_list_passes',
      'hoster_exporter_list_complete',
      'hoster_exporter_list_suspect',
    ]);
  });

  it('show no collector that the shard does not poll', () => {
    expect(third.filter((line) => line.includes('collector="balance"'))).toEqual([]);
    expect(first.filter((line) => line.includes('collector="balance"'))).not.toEqual([]);
  });

  it('count the devices of all shards, and show only its own ones', () => {
    expect(first.filter((line) => line.startsWith('hoster_devices{') && !line.endsWith(' 0'))).toEqual([
      'hoster_devices{account="main",rental_status="sold",marketplace_status="listed"} 2',
      'hoster_devices{account="main",rental_status="idle",marketplace_status="listed"} 1',
      'hoster_devices{account="main",rental_status="other",marketplace_status="other"} 1',
    ]);
    expect(first.filter((line) => line.includes('device_id="x"'))).toEqual([]);
  });

  it.each(FAMILIES.map(({ name, labels, shownBy: shards }) => [name, shards, labels] as const))(
    'show %s in %s',
    (name, shards, labels) => {
      // Each shard explains the silence of its own devices.
      const isOwn = labels.includes('device_id') || /^hoster_(exporter|common_cause)_/.test(name);
      expect(shards).toBe(isOwn ? 'every shard' : 'first shard');
    },
  );
});
