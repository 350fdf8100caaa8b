import { describe, expect, it } from 'vitest';
import { BATCH_SIZE } from '../../../src/metrics/batches.ts';
import { catalog } from '../../../src/metrics/catalog.ts';
import { Encoder } from '../../../src/metrics/encode.ts';
import { type View, viewOf } from '../../../src/metrics/view.ts';
import type { FleetDevice } from '../../../src/model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../../../src/model/snapshot.ts';
import { atOnce } from '../../../src/slices.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice } from '../../builders.ts';
import { USUAL_FEATURES } from '../../features.ts';

const FAMILIES = catalog(USUAL_FEATURES);

/** Which batches of a family are encoded for `after`, if what was made of `before` is known: `kept` or `made`. */
function batchesOf(name: string, before: Snapshot, after: Snapshot): readonly string[] {
  const section = FAMILIES.find((family) => family.name === name)?.section;
  const place = FAMILIES.filter((family) => family.section === section).findIndex(
    (family) => family.name === name,
  );
  if (section === undefined) return [];
  const render = (old: View, view: View, known: readonly (readonly string[])[], word: string) => {
    const batches = Array.from({ length: section.families }, (): string[] => []);
    const outputs = batches.map((own, index) => ({
      before: known[index] ?? [],
      keep: (made: string) => own.push(made),
      add: () => own.push(word),
    }));
    atOnce(section.render(old, view, outputs, new Encoder()));
    return batches;
  };
  const known = render(viewOf({ accounts: [] }), viewOf(before), [], 'kept');
  return render(viewOf(before), viewOf(after), known, 'made')[place] ?? [];
}

/** Phones of two batches and a half, each object made anew, as every poll does. */
function phones(change: (index: number) => Partial<FleetDevice> = () => ({})): readonly FleetDevice[] {
  return Array.from({ length: BATCH_SIZE * 2.5 }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` }), change(index)),
  );
}

function accountWith(devices: readonly FleetDevice[], name = 'main'): AccountSnapshot {
  return accountOf({ name, devices: freshReading(fleetOf(...devices)) });
}

const AGE = 'hoster_device_heartbeat_age_seconds';
const BEFORE = { accounts: [accountWith(phones())] };

describe('a batch is encoded', () => {
  it('not again where every subject reads the same, though each is another object', () => {
    const after = { accounts: [accountWith(phones())] };
    expect(batchesOf(AGE, BEFORE, after)).toEqual(['kept', 'kept', 'kept']);
  });

  it('again where one subject reads otherwise', () => {
    const older = phones((index) => (index === BATCH_SIZE ? { heartbeatAgeSeconds: 99 } : {}));
    expect(batchesOf(AGE, BEFORE, { accounts: [accountWith(older)] })).toEqual(['kept', 'made', 'kept']);
  });

  it('not again where only what another row reads has changed', () => {
    const older = phones(() => ({ heartbeatAgeSeconds: 99 }));
    const after = { accounts: [accountWith(older)] };
    expect(batchesOf('hoster_device_rental_status', BEFORE, after)).toEqual(['kept', 'kept', 'kept']);
  });

  it('again behind a phone that left, as all others move up', () => {
    const left = phones().filter((_, index) => index !== BATCH_SIZE);
    expect(batchesOf(AGE, BEFORE, { accounts: [accountWith(left)] })).toEqual(['kept', 'made', 'made']);
  });

  it('again where a phone was added, although all that were there read the same', () => {
    const added = [...phones(), fleetDevice(healthyDevice({ id: 'another' }))];
    expect(batchesOf(AGE, BEFORE, { accounts: [accountWith(added)] })).toEqual(['kept', 'kept', 'made']);
  });

  it('again where another phone reads the same', () => {
    const renamed = phones((index) => (index === 0 ? { device: healthyDevice({ id: 'another' }) } : {}));
    expect(batchesOf(AGE, BEFORE, { accounts: [accountWith(renamed)] })).toEqual(['made', 'kept', 'kept']);
  });

  it('not again for what happens to another account', () => {
    const [first, second] = [accountWith(phones(), 'first'), accountWith(phones(), 'second')];
    const after = { accounts: [accountWith(phones().slice(1), 'first'), second] };
    expect(batchesOf(AGE, { accounts: [first, second] }, after)).toEqual([
      ...['made', 'made', 'made'],
      ...['kept', 'kept', 'kept'],
    ]);
  });

  it('not again for a fact about us', () => {
    const [account = accountOf()] = BEFORE.accounts;
    const after: Snapshot = { accounts: [{ ...account, access: 'suspended' }] };
    const made = FAMILIES.filter(({ name }) => batchesOf(name, BEFORE, after).includes('made'));
    expect(made.map(({ name }) => name)).toEqual(['hoster_account_api_access']);
  });

  it('for an account that was not there before', () => {
    const after = { accounts: [...BEFORE.accounts, accountWith(phones(), 'second')] };
    expect(batchesOf(AGE, BEFORE, after)).toEqual(['kept', 'kept', 'kept', 'made', 'made', 'made']);
  });
});
