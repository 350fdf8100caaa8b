import type { Output } from '../metrics/batches.ts';
import { catalog, type Features } from '../metrics/catalog.ts';
import { Encoder } from '../metrics/encode.ts';
import { viewOf } from '../metrics/view.ts';
import type { Device, DeviceState } from '../model/device.ts';
import { NO_MEMORY } from '../model/memory.ts';
import type { Tunnels } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { settleBalance, succeeded } from '../poller/settle.ts';
import { settleFleet } from '../poller/settle-fleet.ts';
import { atOnce } from '../slices.ts';

/** What something costs on the page, and whoever stores it. */
export type Cost = { readonly series: number; readonly textBytes: number };

export type Costs = {
  /** An account without phones. */
  readonly account: Cost;
  readonly phone: Cost;
  /** That a phone is self-rented, on top of the phone. */
  readonly selfRent: Cost;
};

/** What comes of the rows, for a phone of which the API says everything and nothing unusual. */
export function costsOf(features: Features): Costs {
  const account = costOf(accountWith([], new Map()), features);
  const phone = less(costOf(accountWith([PHONE], new Map()), features), account);
  const rented = accountWith([SELF_RENTED], new Map([[SELF_RENTED.id, TUNNEL]]));
  return { account, phone, selfRent: less(less(costOf(rented, features), account), phone) };
}

const NOW = Date.UTC(2026, 0, 1);

const STATE: DeviceState = {
  setupStatus: 'complete',
  rentalStatus: 'sold',
  marketplaceStatus: 'listed',
  selfRentStatus: undefined,
  rotationStatus: 'active',
  rotationIntervalMilliseconds: 600_000,
};

const PHONE: Device = {
  id: '65f0c0ffee0123456789abcd',
  label: 'rack-01/slot-01',
  kind: { brand: 'Samsung', model: 'SM-A546B', appVersion: '4.2.0' },
  state: STATE,
  lastHeartbeatAt: NOW - 12_345,
  rentalId: undefined,
};

const SELF_RENTED: Device = {
  ...PHONE,
  state: { ...STATE, rentalStatus: 'self_rented', selfRentStatus: 'active' },
  rentalId: '65f0c0ffee0123456789abce',
};

const TUNNEL = {
  tunnel: {
    id: '65f0c0ffee0123456789abcf',
    host: 'proxy-1.example.com',
    ports: { socks5: 20_001, https: 20_002, transparentSocks5: 20_003 },
    status: 'enabled',
    uptimeStatus: 'up',
    credentials: { countByStatus: new Map([['active', 1]]), oldestActiveAt: NOW, lastChangeAt: NOW },
  },
  answeredAt: NOW,
};

function accountWith(devices: readonly Device[], tunnels: Tunnels): AccountSnapshot {
  const listing = { pages: 1, passes: 1, complete: true };
  const listed = { devices, neighbours: [], reported: devices.length, listing };
  const { fleet } = atOnce(settleFleet(undefined, listed, NOW, 0));
  const money = settleBalance(undefined, {
    availableCents: 10_000,
    pendingCents: 10_000,
    totalCents: 20_000,
  });
  return {
    name: 'main',
    currency: 'EUR',
    access: 'granted',
    devices: succeeded(fleet, NOW),
    tunnels: succeeded(tunnels, NOW),
    balance: succeeded(money, NOW),
    memory: NO_MEMORY,
  };
}

function costOf(account: AccountSnapshot, features: Features): Cost {
  const [nothing, view] = [viewOf({ accounts: [] }), viewOf({ accounts: [account] })];
  const sections = new Set(catalog(features).map(({ section }) => section));
  const cost = { series: 0, textBytes: 0 };
  const output: Output<never> = {
    before: [],
    keep: () => {},
    add: ({ bytes, series }) => {
      cost.series += series;
      cost.textBytes += bytes.length;
    },
  };
  const encoder = new Encoder();
  for (const { families, render } of sections) {
    const outputs = Array.from({ length: families }, () => output);
    atOnce(render(nothing, view, outputs, encoder));
  }
  return cost;
}

function less(one: Cost, other: Cost): Cost {
  return { series: one.series - other.series, textBytes: one.textBytes - other.textBytes };
}
