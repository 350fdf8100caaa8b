import { ENDPOINTS } from '../../model/endpoint.ts';
import type { Answer } from '../answer.ts';
import { isObject, type Json, type JsonObject, listOf } from '../json.ts';
import { type Fault, faultsOf, type Occasion } from './fault.ts';
import {
  BAD_DEVICE_IDS,
  HEARTBEAT_FORMS,
  HOSTILE_LABEL,
  PORT_FORMS,
  SELF_RENT_FORMS,
  STRANGE_FIELDS,
  UNKNOWN,
  UNKNOWN_ENUMS,
} from './forms.ts';

/** What becomes of a record, which is a device, the tunnel or the balance. `index` counts the devices of a page. */
type Change = (record: JsonObject, index: number, occasion: Occasion) => Json;

/** Changes every record in a successful answer and leaves every other answer alone. */
const changing =
  (change: Change) =>
  (answer: Answer, occasion: Occasion): Answer => {
    const data = isObject(answer.body) ? answer.body['data'] : undefined;
    if (!isObject(data)) return answer;
    const changeOne = (record: Json, index: number) =>
      isObject(record) ? change(record, index, occasion) : record;
    const changed =
      occasion.endpoint === 'devices'
        ? { ...data, items: listOf(data['items']).map(changeOne) }
        : changeOne(data, 0);
    return { ...answer, body: { success: true, data: changed } };
  };

/** Changes the first record only: its neighbours must survive. */
const changingFirst = (change: Change) =>
  changing((record, index, occasion) => (index === 0 ? change(record, index, occasion) : record));

/** Replaces fields that the record has; it gets no new ones. */
const replacing = (record: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Object.hasOwn(values, name) ? values[name] : value]),
  );

/** One form after the other, over the records of a page and, for a lone record, over the requests. */
const rotating = (name: string, forms: readonly (Json | undefined)[]) =>
  changing((record, index, { count }) => ({ ...record, [name]: forms[(index + count) % forms.length] }));

function withUnknownEnums(record: JsonObject): JsonObject {
  const credentials = listOf(record['credentials']).map((one) =>
    isObject(one) ? { ...one, status: UNKNOWN } : one,
  );
  return replacing(record, { ...UNKNOWN_ENUMS, credentials });
}

/** Every text a number, every number a text, everything else a truth value. */
function withWrongTypes(record: JsonObject): JsonObject {
  const wrong = (value: Json | undefined): Json => {
    if (typeof value === 'string') return 12;
    return typeof value === 'number' ? String(value) : true;
  };
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, wrong(value)]));
}

const MEBIBYTE = 2 ** 20;

/** Three ports out of the forms, three more with each request. */
const rotatingPorts = changing((record, _index, { count }) => {
  const form = (place: number) => PORT_FORMS[(3 * count + place) % PORT_FORMS.length];
  return { ...record, socks5Port: form(0), httpsPort: form(1), transparentSocks5Port: form(2) };
});

const balanceOf = (field: string, value: (cents: number) => number) =>
  changing((record) => ({ ...record, [field]: value(Number(record[field])) }));

const EVERYWHERE = faultsOf('values', ENDPOINTS, [
  {
    name: 'wrong-types',
    description: 'every field of the first record has a wrong type',
    onAnswer: changingFirst(withWrongTypes),
  },
  {
    name: 'unknown-fields',
    description: 'fields that are not documented, __proto__ among them',
    onAnswer: changing((record) => ({ ...record, ...STRANGE_FIELDS })),
  },
]);

const WITH_STATUSES = faultsOf(
  'values',
  ['devices', 'tunnel'],
  [
    {
      name: 'unknown-enums',
      description: 'every status is one that nobody knows',
      onAnswer: changing(withUnknownEnums),
    },
  ],
);

const OF_DEVICES = faultsOf(
  'values',
  ['devices'],
  [
    { name: 'null-item', description: 'the first item is null', onAnswer: changingFirst(() => null) },
    {
      name: 'bad-device-ids',
      description: 'no device has a usable identifier',
      onAnswer: rotating('deviceId', BAD_DEVICE_IDS),
    },
    {
      name: 'self-rent-forms',
      description: 'selfRent null, omitted, empty, half filled or of a wrong type',
      onAnswer: rotating('selfRent', SELF_RENT_FORMS),
    },
    {
      name: 'heartbeat-forms',
      description: 'lastHeartbeatAt absent, long past, far ahead or in another form',
      onAnswer: rotating('lastHeartbeatAt', HEARTBEAT_FORMS),
    },
    {
      name: 'long-label',
      description: 'the first label is 1 MiB long',
      onAnswer: changingFirst((record) => ({ ...record, label: 'l'.repeat(MEBIBYTE) })),
    },
    {
      name: 'hostile-label',
      description: 'labels with control, bidirectional and unpaired surrogate characters',
      onAnswer: rotating('label', [HOSTILE_LABEL]),
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
      onAnswer: changing((record) => ({
        ...record,
        credentials: [null, ...listOf(record['credentials']).slice(1)],
      })),
    },
    { name: 'port-forms', description: 'ports in forms that are no port', onAnswer: rotatingPorts },
  ],
);

const OF_THE_BALANCE = faultsOf(
  'values',
  ['balance'],
  [
    {
      name: 'balance-fraction',
      description: 'availableCents is half a cent more than a whole number',
      onAnswer: balanceOf('availableCents', (cents) => cents + 0.5),
    },
    {
      name: 'balance-huge',
      description: 'totalCents is 2^60, beyond what a double counts exactly',
      onAnswer: balanceOf('totalCents', () => 2 ** 60),
    },
    {
      name: 'balance-negative',
      description: 'availableCents is below zero',
      onAnswer: balanceOf('availableCents', () => -1),
    },
  ],
);

/** Well-formed answers with values that the API document does not promise. */
export const VALUE_FAULTS: readonly Fault[] = [
  ...EVERYWHERE,
  ...WITH_STATUSES,
  ...OF_DEVICES,
  ...OF_THE_TUNNEL,
  ...OF_THE_BALANCE,
];
