import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipBody } from '../../src/metrics/page.ts';
import {
  type Device,
  MARKETPLACE_STATUSES,
  OTHER,
  RENTAL_STATUSES,
  SETUP_STATUSES,
} from '../../src/model/device.ts';
import { ACCESS_STATES, DATA_STATES, FAILURE_REASONS } from '../../src/model/enums.ts';
import type { FleetDevice } from '../../src/model/fleet.ts';
import type { Money } from '../../src/model/money.ts';
import type { Reading } from '../../src/model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../../src/model/snapshot.ts';
import type { Tunnel, Tunnels } from '../../src/model/tunnel.ts';
import { anyCharacter } from '../any-character.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  moneyOf,
  snapshotOf,
  tunnelOf,
} from '../builders.ts';
import { familiesOf } from '../features.ts';
import { plainExposition } from '../oracle.ts';
import { renderedPage } from '../rendered-page.ts';

/** Texts that have something in them that a printer may stumble over. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('"', '\\', '\n', '\\n', '"} 1\nfake{x="', '📱', '\ud800', '\u0000', '# HELP', '{},='),
);

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const number = fc.oneof(
  fc.nat(),
  fc.integer(),
  fc.double({ noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, Number.NaN),
);

const openStatus = fc.constantFrom('active', 'paused', 'up', 'down', 'enabled', OTHER);

const device: fc.Arbitrary<Partial<Device>> = fc.record({
  label: text,
  brand: text,
  model: text,
  appVersion: text,
  setupStatus: maybe(fc.constantFrom(...SETUP_STATUSES, OTHER)),
  rentalStatus: maybe(fc.constantFrom(...RENTAL_STATUSES, OTHER)),
  marketplaceStatus: maybe(fc.constantFrom(...MARKETPLACE_STATUSES, OTHER)),
  lastHeartbeatAt: maybe(number),
  selfRentStatus: maybe(openStatus),
  rentalId: maybe(text),
  rotationStatus: maybe(openStatus),
  rotationIntervalMilliseconds: maybe(number),
});

const times = fc.record({
  firstListedAt: number,
  column: fc.constant(undefined),
  milliseconds: fc.record({ sold_online: number, self_rented: number, idle: number, other: number }),
  interruptions: number,
});

const phone: fc.Arbitrary<(id: string) => FleetDevice> = fc
  .record({
    device,
    learned: fc.record({
      heartbeatAgeSeconds: maybe(number),
      rentalStatusSince: maybe(number),
      times,
    }),
  })
  .map((facts) => (id) => fleetDevice(bareDevice({ ...facts.device, id }), facts.learned));

/** Devices whose lines take more than one chunk of text. */
const MANY = 600;

/** Fleets of none, a few, and more than a chunk; a large one is one phone over and over, with a few others in it. */
const phones: fc.Arbitrary<readonly FleetDevice[]> = fc
  .record({
    usual: phone,
    others: fc.array(fc.tuple(fc.nat(MANY), phone), { maxLength: 4 }),
    size: fc.oneof(
      { weight: 8, arbitrary: fc.nat(3) },
      { weight: 1, arbitrary: fc.integer({ min: MANY / 2, max: MANY }) },
    ),
  })
  .map(({ usual, others, size }) => {
    const special = new Map(others);
    return Array.from({ length: size }, (_, index) => (special.get(index) ?? usual)(`phone-${index}`));
  });

const tunnel: fc.Arbitrary<Tunnel> = fc
  .record({ id: text, host: text, status: maybe(openStatus), uptimeStatus: maybe(openStatus) })
  .map((facts) => tunnelOf(facts));

const tunnels: fc.Arbitrary<Tunnels> = fc
  .uniqueArray(fc.tuple(fc.nat(9), maybe(tunnel)), { selector: ([number]) => number, maxLength: 6 })
  .map((list) => new Map(list.map(([number, each]) => [`phone-${number}`, answerAtNoon(each)])));

const money: fc.Arbitrary<Money> = fc
  .tuple(fc.integer(), fc.integer())
  .map(([available, pending]) => moneyOf(available, pending));

function reading<Data>(data: fc.Arbitrary<Data>): fc.Arbitrary<Reading<Data>> {
  return fc.record({
    data: maybe(data),
    state: fc.constantFrom(...DATA_STATES),
    lastSuccessAt: maybe(number),
    lastSuccessUptime: maybe(number),
    lastAttemptAt: maybe(number),
    failure: maybe(fc.constantFrom(...FAILURE_REASONS)),
  });
}

const accountNames = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });

const account: fc.Arbitrary<Partial<AccountSnapshot>> = fc.record({
  currency: maybe(text),
  access: maybe(fc.constantFrom(...ACCESS_STATES)),
  devices: reading(phones.map((devices) => fleetOf(...devices))),
  tunnels: reading(tunnels),
  balance: reading(money),
});

const snapshot: fc.Arbitrary<Snapshot> = fc
  .tuple(accountNames, fc.array(account, { minLength: 3, maxLength: 3 }))
  .map(([names, facts]) =>
    snapshotOf(...names.map((name, index) => ({ ...accountOf({ name }), ...facts[index] }))),
  );

const features = fc.record({
  tunnel_endpoints: fc.boolean(),
  rental_ids: fc.boolean(),
});

/** Only a line feed ends a line; a carriage return is a character like any other. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

describe('the exposition of any snapshot', () => {
  it('unpacks to the bytes of the plain renderer, with the right lengths', async () => {
    await fc.assert(
      fc.asyncProperty(features, snapshot, async (chosen, shown) => {
        const families = familiesOf(chosen);
        const page = await renderedPage(families, shown);
        const body = gzipBody(page);
        const expected = Buffer.from(plainExposition(families, shown));
        const text = gunzipSync(Buffer.concat(body.chunks)).toString();
        expect(text).toBe(expected.toString());
        expect(body.length).toBe(Buffer.concat(body.chunks).length);
        expect(body.textLength).toBe(expected.length);
        expect(page.series).toBe(linesOf(text).filter((line) => !line.startsWith('#')).length);
      }),
      { numRuns: 60 },
    );
  });

  it('has every family in one piece, in the order of the catalog', async () => {
    await fc.assert(
      fc.asyncProperty(features, snapshot, async (chosen, shown) => {
        const families = familiesOf(chosen);
        const { chunks } = gzipBody(await renderedPage(families, shown));
        const lines = linesOf(gunzipSync(Buffer.concat(chunks)).toString());
        const names = lines.map((line) => /^(?:# [A-Z]+ )?\w+/.exec(line)?.[0] ?? line);
        const runs = names.filter((name, index) => name !== names[index - 1]);
        expect(runs.filter((name) => name.startsWith('#'))).toEqual(
          families.flatMap(({ name }) => [`# HELP ${name}`, `# TYPE ${name}`]),
        );
        expect(runs.length).toBe(new Set(runs).size);
      }),
      { numRuns: 20 },
    );
  });
});
