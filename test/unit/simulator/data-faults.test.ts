import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/model/enums.ts';
import { isObject, type Json, listOf } from '../../../src/simulator/response.ts';
import {
  BAD_DEVICE_IDS,
  HEARTBEAT_VALUES,
  HOSTILE_LABEL,
  PORT_VALUES,
  SELF_RENT_VALUES,
} from '../../faults/simulated/data.ts';
import { FAULTS } from '../../faults/simulated/faults.ts';
import {
  DEVICES,
  dataIn,
  fieldIn,
  good,
  itemsIn,
  marketplace,
  messageOf,
  recordsIn,
  TARGETS,
  textOf,
} from './faulty-responses.ts';
import { everything, tunnelPath } from './requests.ts';

const allIds = everything(marketplace).map((item) => item['deviceId']);
const page = (number: number) => `${DEVICES}?limit=50&page=${number}`;
const idsOf = (number: number, name: string) => fieldIn(messageOf(page(number), name), 'deviceId');
const TOTAL = allIds.length;

const LISTINGS: Readonly<Record<string, () => void>> = {
  'duplicate-devices': () => {
    const ids = [...idsOf(1, 'duplicate-devices'), ...idsOf(2, 'duplicate-devices')];
    expect(ids).toEqual([...allIds.slice(0, 50), ...allIds.slice(49, 99)]);
  },
  'omitted-devices': () => {
    const ids = [...idsOf(1, 'omitted-devices'), ...idsOf(2, 'omitted-devices')];
    expect(ids).toEqual([...allIds.slice(0, 50), ...allIds.slice(51, 101)]);
  },
  'total-grows': () => {
    const totals = [0, 1, 2].map((count) => dataIn(messageOf(page(1), 'total-grows', count))['total']);
    expect(totals).toEqual([TOTAL + 1, TOTAL + 2, TOTAL + 3]);
  },
  'total-shrinks': () => {
    const totals = [0, 1, 9_999].map((count) => dataIn(messageOf(page(1), 'total-shrinks', count))['total']);
    expect(totals).toEqual([TOTAL - 1, TOTAL - 2, 0]);
  },
  'empty-middle-page': () => {
    const lengths = [1, 2, 3, 4, 5].map((number) => idsOf(number, 'empty-middle-page').length);
    expect(lengths).toEqual([50, 50, 0, 50, TOTAL - 200]);
  },
  'limit-ignored': () => {
    const message = messageOf(page(2), 'limit-ignored');
    expect(dataIn(message)).toMatchObject({ page: 2, limit: 20, total: TOTAL });
    expect(fieldIn(message, 'deviceId')).toEqual(allIds.slice(20, 40));
  },
  'same-page-for-ever': () => {
    const message = messageOf(page(3), 'same-page-for-ever');
    expect(textOf(message)).toBe(textOf(messageOf(page(1))));
  },
  'total-pages-huge': () => {
    expect(dataIn(messageOf(page(1), 'total-pages-huge'))).toMatchObject({ totalPages: 1e9, total: TOTAL });
  },
  'fleet-vanishes': () => {
    expect(dataIn(messageOf(page(1), 'fleet-vanishes'))).toEqual({
      items: [],
      total: 0,
      page: 1,
      limit: 50,
      totalPages: 0,
    });
  },
};

describe('a listing fault', () => {
  it.each(Object.entries(LISTINGS))('%s has the effect of its name', (_, check) => check());

  it.each(Object.keys(LISTINGS))('%s leaves an error response unchanged', (name) => {
    expect(messageOf(`${DEVICES}?page=0`, name)).toEqual(messageOf(`${DEVICES}?page=0`));
  });
});

const wrapped = (forms: readonly (Json | undefined)[]) =>
  Array.from({ length: 50 }, (_, index) => forms[index % forms.length]);

const VALUES: Readonly<Record<string, () => void>> = {
  'wrong-types': () => {
    const [first, ...rest] = recordsIn(messageOf(TARGETS.devices, 'wrong-types'));
    expect(first).toMatchObject({ deviceId: 12, lastHeartbeatAt: 12 });
    expect(rest).toEqual(recordsIn(good).slice(1));
    expect(dataIn(messageOf(TARGETS.tunnel, 'wrong-types'))).toMatchObject({ host: 12, credentials: true });
    expect(dataIn(messageOf(TARGETS.balance, 'wrong-types'))).toMatchObject({ availableCents: '125000' });
  },
  'unknown-fields': () => {
    for (const target of Object.values(TARGETS)) {
      const text = textOf(messageOf(target, 'unknown-fields'));
      expect(text).toContain('"__proto__":{"deviceId":"polluted"},"constructor":"polluted"');
    }
  },
  'unknown-enums': () => {
    const unknown = 'quantum_leased';
    const message = messageOf(TARGETS.devices, 'unknown-enums');
    for (const name of ['rentalStatus', 'marketplaceStatus', 'setupStatus']) {
      expect(new Set(fieldIn(message, name))).toEqual(new Set([unknown]));
    }
    expect(recordsIn(message)[0]).not.toHaveProperty('uptimeStatus');
    const tunnel = dataIn(messageOf(TARGETS.tunnel, 'unknown-enums'));
    expect(tunnel).toMatchObject({ status: unknown, uptimeStatus: unknown });
    expect(listOf(tunnel['credentials']).map((one) => isObject(one) && one['status'])).toContain(unknown);
  },
  'null-item': () => {
    expect(itemsIn(messageOf(TARGETS.devices, 'null-item'))).toEqual([null, ...itemsIn(good).slice(1)]);
  },
  'bad-device-ids': () => {
    expect(fieldIn(messageOf(TARGETS.devices, 'bad-device-ids'), 'deviceId')).toEqual(
      wrapped(BAD_DEVICE_IDS),
    );
  },
  'self-rent-forms': () => {
    expect(fieldIn(messageOf(TARGETS.devices, 'self-rent-forms'), 'selfRent')).toEqual(
      wrapped(SELF_RENT_VALUES),
    );
  },
  'heartbeat-forms': () => {
    const forms = fieldIn(messageOf(TARGETS.devices, 'heartbeat-forms'), 'lastHeartbeatAt');
    expect(forms).toEqual(wrapped(HEARTBEAT_VALUES));
  },
  'long-label': () => {
    const lengths = fieldIn(messageOf(TARGETS.devices, 'long-label'), 'label').map(
      (label) => String(label).length,
    );
    expect(lengths[0]).toBe(2 ** 20);
    expect(Math.max(...lengths.slice(1))).toBeLessThanOrEqual(200);
  },
  'hostile-label': () => {
    const message = messageOf(TARGETS.devices, 'hostile-label');
    expect(fieldIn(message, 'label')).toEqual(wrapped([HOSTILE_LABEL]));
    expect(textOf(message)).toContain('\\ud800');
  },
  'null-credential': () => {
    const credentials = listOf(dataIn(messageOf(TARGETS.tunnel, 'null-credential'))['credentials']);
    expect(credentials[0]).toBeNull();
  },
  'port-forms': () => {
    const ports = [0, 1, 2, 3].flatMap((count) => {
      const tunnel = dataIn(messageOf(TARGETS.tunnel, 'port-forms', count));
      return [tunnel['socks5Port'], tunnel['httpsPort'], tunnel['transparentSocks5Port']];
    });
    expect(ports).toEqual([...PORT_VALUES]);
  },
  'balance-fraction': () => {
    expect(dataIn(messageOf(TARGETS.balance, 'balance-fraction'))).toMatchObject({
      availableCents: 125_000.5,
    });
  },
  'balance-huge': () => {
    expect(textOf(messageOf(TARGETS.balance, 'balance-huge'))).toContain('"totalCents":1152921504606847000');
  },
  'balance-negative': () => {
    expect(dataIn(messageOf(TARGETS.balance, 'balance-negative'))).toMatchObject({ availableCents: -1 });
  },
};

describe('a value fault', () => {
  it.each(Object.entries(VALUES))('%s has the effect of its name', (_, check) => check());

  it.each(Object.keys(VALUES))('%s leaves an error response unchanged', (name) => {
    expect(messageOf(tunnelPath('none'), name)).toEqual(messageOf(tunnelPath('none')));
  });
});

describe('the tables of data faults in this file', () => {
  it.each([
    ['listing', LISTINGS],
    ['values', VALUES],
  ])('have every %s fault', (kind, table) => {
    const names = FAULTS.filter((fault) => fault.kind === kind).map(({ name }) => name);
    expect(Object.keys(table).toSorted()).toEqual(names.toSorted());
  });

  it('leave the marketplace unchanged', () => {
    expect(messageOf(TARGETS.devices)).toEqual(good);
    expect(Object.keys(TARGETS)).toEqual([...ENDPOINTS]);
  });
});
