import { describe, expect, it } from 'vitest';
import { catalog } from '../../../src/metrics/catalog.ts';
import { viewOf } from '../../../src/metrics/view.ts';
import type { Neighbour } from '../../../src/model/reading.ts';
import type { Shard } from '../../../src/model/shard.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  fleetBeside,
  fleetDevice,
  freshReading,
  healthyDevice,
  moneyOf,
  stateOf,
} from '../../builders.ts';
import { USUAL_FEATURES } from '../../features.ts';

const FAMILIES = catalog(USUAL_FEATURES);

const NEIGHBOURS: readonly Neighbour[] = [
  { id: 'x', state: stateOf({ rentalStatus: 'idle', marketplaceStatus: 'listed' }) },
  { id: 'y', state: stateOf({ rentalStatus: 'sold', marketplaceStatus: 'listed' }) },
  { id: 'z', state: stateOf({}) },
];

const ACCOUNT: AccountSnapshot = accountOf({
  currency: 'EUR',
  access: 'granted',
  devices: freshReading(fleetBeside(NEIGHBOURS, fleetDevice(healthyDevice()))),
  balance: freshReading(moneyOf(1, 2)),
});

/** The lines of the families that this shard shows samples of. */
function shown(shard: Shard): readonly string[] {
  const view = viewOf({ shard, accounts: [ACCOUNT] });
  return FAMILIES.flatMap(({ name, ownLabels, groups }) =>
    [...groups(view)].flatMap(({ identity, samples }) =>
      samples.map(
        ([value, ...labels]) =>
          `${name}{${[identity, ...labels.map((label, index) => `${ownLabels[index]}="${label}"`)].join()}} ${value}`,
      ),
    ),
  );
}

const namesIn = (lines: readonly string[]) => new Set(lines.map((line) => line.slice(0, line.indexOf('{'))));

describe('a shard', () => {
  const first = shown({ index: 0, total: 4 });
  const third = shown({ index: 2, total: 4 });

  it('that is the first shows what there is once for an account', () => {
    const names = namesIn(first);
    const once = FAMILIES.filter(({ shownBy }) => shownBy === 'first shard').map(({ name }) => name);
    expect(once.filter((name) => !names.has(name))).toEqual([]);
  });

  it('that is another shows what has a phone or a collector in its labels, and how its listing went', () => {
    const others = [...namesIn(third)].filter((name) => !name.startsWith('hoster_device_'));
    expect(others).toEqual([
      'hoster_exporter_poll_success',
      'hoster_exporter_poll_last_success_timestamp_seconds',
      'hoster_exporter_poll_last_attempt_timestamp_seconds',
      'hoster_exporter_data_state',
      'hoster_exporter_list_pages',
      'hoster_exporter_list_passes',
      'hoster_exporter_list_complete',
      'hoster_exporter_list_suspect',
    ]);
  });

  it('says nothing of a collector that it does not poll', () => {
    expect(third.filter((line) => line.includes('collector="balance"'))).toEqual([]);
    expect(first.filter((line) => line.includes('collector="balance"'))).not.toEqual([]);
  });

  it('counts the phones of all shards, and shows a phone in detail only if it is its own', () => {
    expect(first.filter((line) => line.startsWith('hoster_devices{') && !line.endsWith(' 0'))).toEqual([
      'hoster_devices{account="main",rental_status="sold",marketplace_status="listed"} 2',
      'hoster_devices{account="main",rental_status="idle",marketplace_status="listed"} 1',
      'hoster_devices{account="main",rental_status="other",marketplace_status="other"} 1',
    ]);
    expect(first.filter((line) => line.includes('device_id="x"'))).toEqual([]);
  });
});

describe('every family', () => {
  it.each(FAMILIES.map(({ name, labels, shownBy }) => [name, shownBy, labels] as const))(
    '%s is shown by %s',
    (name, shownBy, labels) => {
      const isAboutAll = !labels.includes('device_id') && !name.startsWith('hoster_exporter_');
      expect(shownBy).toBe(isAboutAll ? 'first shard' : 'every shard');
    },
  );
});
