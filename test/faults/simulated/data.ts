import type { SimulatedResponse } from '../../../src/features/demo/response.ts';
import { ENDPOINTS } from '../../../src/model/enums.ts';
import { isObject, type Json, type JsonObject, listOf } from '../../json.ts';
import { type Fault, type FaultContext, faultsOf } from './fault.ts';

/** Fields of a page of the device list. */
type ListPage = {
  readonly items: readonly Json[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
};

/** Returns the page in a response; undefined if it is not a success. */
function pageIn(response: SimulatedResponse): ListPage | undefined {
  const data = isObject(response.body) ? response.body['data'] : undefined;
  if (!isObject(data)) return undefined;
  const number = (name: string) => Number(data[name]);
  const items = listOf(data['items']);
  return {
    ...{ items, total: number('total'), page: number('page') },
    ...{ limit: number('limit'), totalPages: number('totalPages') },
  };
}

type PageChange = (page: ListPage, context: FaultContext) => JsonObject;

/** Changes fields of the page in a successful response; others stay as they are. */
const changingPage =
  (change: PageChange) =>
  (response: SimulatedResponse, context: FaultContext): SimulatedResponse => {
    const page = pageIn(response);
    if (page === undefined) return response;
    return { ...response, body: { success: true, data: { ...page, ...change(page, context) } } };
  };

const itemsOfPage = (number: number, { respondWith }: FaultContext): readonly Json[] =>
  pageIn(respondWith({ page: String(number) }))?.items ?? [];

const counted = (total: number, limit: number) => ({ total, totalPages: Math.ceil(total / limit) });

/** As if a phone was inserted between two requests: the last item of a page repeats as the first of the next. */
const shiftedBack: PageChange = ({ items, page }, context) =>
  page === 1 ? {} : { items: [...itemsOfPage(page - 1, context).slice(-1), ...items.slice(0, -1)] };

/** As if a phone was removed between two requests: each page lacks its first item. */
const shiftedOn: PageChange = ({ items, page }, context) =>
  page === 1 ? {} : { items: [...items.slice(1), ...itemsOfPage(page + 1, context).slice(0, 1)] };

const middle = (totalPages: number) => Math.ceil(totalPages / 2);

const DEFAULT_LIMIT = 20;

/** A device list that contradicts itself. */
const LISTING_FAULTS: readonly Fault[] = faultsOf(
  'listing',
  ['devices'],
  [
    {
      name: 'duplicate-devices',
      description: 'each page from the second on begins with the last phone of the page before',
      onResponse: changingPage(shiftedBack),
    },
    {
      name: 'omitted-devices',
      description: 'each page from the second on lacks its first phone, as if the list had shifted',
      onResponse: changingPage(shiftedOn),
    },
    {
      name: 'total-grows',
      description: 'total is one more with each request',
      onResponse: changingPage(({ total, limit }, { count }) => counted(total + count + 1, limit)),
    },
    {
      name: 'total-shrinks',
      description: 'total is one less with each request',
      onResponse: changingPage(({ total, limit }, { count }) =>
        counted(Math.max(0, total - count - 1), limit),
      ),
    },
    {
      name: 'empty-middle-page',
      description: 'the page in the middle has no items',
      onResponse: changingPage(({ page, totalPages }) => (page === middle(totalPages) ? { items: [] } : {})),
    },
    {
      name: 'limit-ignored',
      description: 'pages of 20 whatever limit was requested, and limit says so',
      onResponse: (response, { respondWith }) =>
        pageIn(response) === undefined ? response : respondWith({ limit: String(DEFAULT_LIMIT) }),
    },
    {
      name: 'same-page-for-ever',
      description: 'the first page whatever page was requested, as from a cache',
      onResponse: (response, { respondWith }) =>
        pageIn(response) === undefined ? response : respondWith({ page: '1' }),
    },
    {
      name: 'total-pages-huge',
      description: 'totalPages is 1,000,000,000',
      onResponse: changingPage(() => ({ totalPages: 1_000_000_000 })),
    },
  ],
);

/** A status that is not documented. */
const UNKNOWN_STATUS = 'quantum_leased';

/** All fields with a status, of a device and of a tunnel. */
const UNKNOWN_STATUSES: JsonObject = {
  setupStatus: UNKNOWN_STATUS,
  rentalStatus: UNKNOWN_STATUS,
  marketplaceStatus: UNKNOWN_STATUS,
  selfRent: { status: UNKNOWN_STATUS },
  rotation: { status: UNKNOWN_STATUS, intervalInMs: 300_000 },
  status: UNKNOWN_STATUS,
  uptimeStatus: UNKNOWN_STATUS,
};

/** Fields with names from Object's prototype, and an undocumented one. */
const UNDOCUMENTED_FIELDS: JsonObject = Object.fromEntries([
  ['__proto__', { deviceId: 'polluted' }],
  ['constructor', 'polluted'],
  ['toString', 'polluted'],
  ['batteryPercent', 81],
]);

const PORT_VALUES = [
  '',
  '0',
  '65536',
  '0x50',
  ' 80',
  '8e1',
  '-1',
  'socks',
  1080,
  1080.5,
  null,
  undefined,
] as const;

const HEARTBEAT_VALUES = [
  undefined,
  null,
  '',
  'yesterday',
  '1',
  0,
  1_700_000_000_000,
  '1970-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-31T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00.000+01:00',
  '2026-01-01 00:00:00',
] as const;

const SELF_RENT_VALUES = [
  null,
  undefined,
  {},
  [],
  '',
  { status: null },
  { rentalId: '' },
  { status: 'active' },
] as const;

const BAD_DEVICE_IDS = ['', '../balance', 'a b', 'x'.repeat(65), 'ключ', null, 7, undefined] as const;

const HOSTILE_LABEL = '\u0000\u001B[31m"quoted"\\\r\n\u202Ereversed\u2066\u200B\uFEFF\uD800';

/** Changes a record: a device, the tunnel or the balance. `index` counts the devices of a page. */
type RecordChange = (record: JsonObject, index: number, context: FaultContext) => Json;

/** Changes every record in a successful response; others stay as they are. */
const changingRecords =
  (change: RecordChange) =>
  (response: SimulatedResponse, context: FaultContext): SimulatedResponse => {
    const data = isObject(response.body) ? response.body['data'] : undefined;
    if (!isObject(data)) return response;
    const changeOne = (record: Json, index: number) =>
      isObject(record) ? change(record, index, context) : record;
    const changed =
      context.endpoint === 'devices'
        ? { ...data, items: listOf(data['items']).map(changeOne) }
        : changeOne(data, 0);
    return { ...response, body: { success: true, data: changed } };
  };

/** Changes the first record only; the others must survive. */
const changingFirstRecord = (change: RecordChange) =>
  changingRecords((record, index, context) => (index === 0 ? change(record, index, context) : record));

/** Replaces values of existing fields. */
const replacing = (record: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Object.hasOwn(values, name) ? values[name] : value]),
  );

/** Gives a field one value after another, over the records of a page and over requests. */
const rotating = (name: string, values: readonly (Json | undefined)[]) =>
  changingRecords((record, index, { count }) => ({
    ...record,
    [name]: values[(index + count) % values.length],
  }));

function withUnknownEnums(record: JsonObject): JsonObject {
  const credentials = listOf(record['credentials']).map((one) =>
    isObject(one) ? { ...one, status: UNKNOWN_STATUS } : one,
  );
  return replacing(record, { ...UNKNOWN_STATUSES, credentials });
}

/** Turns texts into numbers, numbers into texts, and everything else into true. */
function withWrongTypes(record: JsonObject): JsonObject {
  const wrong = (value: Json | undefined): Json => {
    if (typeof value === 'string') return 12;
    return typeof value === 'number' ? String(value) : true;
  };
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, wrong(value)]));
}

const MEBIBYTE = 2 ** 20;

/** Takes three values for the ports, and the next three at each request. */
const rotatingPorts = changingRecords((record, _index, { count }) => {
  const port = (place: number) => PORT_VALUES[(3 * count + place) % PORT_VALUES.length];
  return { ...record, socks5Port: port(0), httpsPort: port(1), transparentSocks5Port: port(2) };
});

const balanceOf = (field: string, value: (cents: number) => number) =>
  changingRecords((record) => ({ ...record, [field]: value(Number(record[field])) }));

const EVERYWHERE = faultsOf('values', ENDPOINTS, [
  {
    name: 'wrong-types',
    description: 'every field of the first record has a wrong type',
    onResponse: changingFirstRecord(withWrongTypes),
  },
  {
    name: 'unknown-fields',
    description: 'fields that are not documented, __proto__ among them',
    onResponse: changingRecords((record) => ({ ...record, ...UNDOCUMENTED_FIELDS })),
  },
]);

const WITH_STATUSES = faultsOf(
  'values',
  ['devices', 'tunnel'],
  [
    {
      name: 'unknown-enums',
      description: 'every status is one that nobody knows',
      onResponse: changingRecords(withUnknownEnums),
    },
  ],
);

const OF_DEVICES = faultsOf(
  'values',
  ['devices'],
  [
    { name: 'null-item', description: 'the first item is null', onResponse: changingFirstRecord(() => null) },
    {
      name: 'bad-device-ids',
      description: 'no device has a usable identifier',
      onResponse: rotating('deviceId', BAD_DEVICE_IDS),
    },
    {
      name: 'self-rent-forms',
      description: 'selfRent null, omitted, empty, half filled or of a wrong type',
      onResponse: rotating('selfRent', SELF_RENT_VALUES),
    },
    {
      name: 'heartbeat-forms',
      description: 'lastHeartbeatAt absent, long past, far ahead or in another form',
      onResponse: rotating('lastHeartbeatAt', HEARTBEAT_VALUES),
    },
    {
      name: 'long-label',
      description: 'the first label is 1 MiB long',
      onResponse: changingFirstRecord((record) => ({ ...record, label: 'l'.repeat(MEBIBYTE) })),
    },
    {
      name: 'hostile-label',
      description: 'labels with control, bidirectional and unpaired surrogate characters',
      onResponse: rotating('label', [HOSTILE_LABEL]),
    },
  ],
);

const OF_THE_TUNNEL = faultsOf(
  'values',
  ['tunnel'],
  [
    {
      name: 'null-credential',
      description: 'the first credential is null',
      onResponse: changingRecords((record) => ({
        ...record,
        credentials: [null, ...listOf(record['credentials']).slice(1)],
      })),
    },
    { name: 'port-forms', description: 'ports in forms that are no port', onResponse: rotatingPorts },
  ],
);

const OF_THE_BALANCE = faultsOf(
  'values',
  ['balance'],
  [
    {
      name: 'balance-fraction',
      description: 'availableCents is half a cent more than a whole number',
      onResponse: balanceOf('availableCents', (cents) => cents + 0.5),
    },
    {
      name: 'balance-huge',
      description: 'totalCents is 2^60, beyond what a double counts exactly',
      onResponse: balanceOf('totalCents', () => 2 ** 60),
    },
    {
      name: 'balance-negative',
      description: 'availableCents is below zero',
      onResponse: balanceOf('availableCents', () => -1),
    },
  ],
);

/** Well-formed responses with values that the API document does not promise. */
const VALUE_FAULTS: readonly Fault[] = [
  ...EVERYWHERE,
  ...WITH_STATUSES,
  ...OF_DEVICES,
  ...OF_THE_TUNNEL,
  ...OF_THE_BALANCE,
];

/** Faults in the data of a response. */
export const DATA_FAULTS: readonly Fault[] = [...LISTING_FAULTS, ...VALUE_FAULTS];
