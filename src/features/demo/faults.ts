import { DEFAULT_GROUPS, groupOf } from '../../model/group.ts';
import type { Marketplace } from './marketplace.ts';
import type { Phone } from './phones.ts';
import {
  errorResponse,
  type SimulatedAccount,
  type SimulatedRequest,
  type SimulatedResponse,
  successResponse,
} from './response.ts';

/** Time that a response takes longer while the API is slow; polls of a few hundred phones still end in time. */
const SLOW_MILLISECONDS = 3_000;

/** Faults of the API, by their names in the path: the response to each request, if there is one. */
const API_FAULTS: Readonly<Record<string, SimulatedResponse | undefined>> = {
  down: errorResponse(503, 'SERVICE_UNAVAILABLE', 'Down for repairs.'),
  'refused-key': errorResponse(403, 'INVALID_API_KEY', 'The API key is not valid.'),
  slow: undefined,
};

/** Properties by which a fault chooses phones, by their names in the path. */
const PROPERTY_OF: Readonly<Record<string, (phone: Phone) => string>> = {
  group: ({ label }) => groupOf(label, DEFAULT_GROUPS),
  label: ({ label }) => label,
};

const USAGE =
  'PUT /-/faults/<fault>, DELETE the same, or DELETE /-/faults for all; a fault is down, slow, refused-key, group/<group> or label/<label>.';

/** A value may have slashes, as labels have. */
const CONTROL_PATH = /^\/-\/faults(?:\/(.+))?$/;

/** Faults that a visitor can switch on. */
export type Faults = {
  /**
   * Responds to a request that controls faults; it needs no key.
   * - `GET /-/faults`: lists those that are on, with the number of phones that each takes offline.
   * - `PUT /-/faults/down`, `slow` or `refused-key`: a fault of the API.
   * - `PUT /-/faults/group/<group>` or `label/<label>`: takes these phones offline, as a power cut does.
   * - `DELETE` of the same path, or of `/-/faults`: ends one, or all.
   */
  readonly control: (request: SimulatedRequest) => SimulatedResponse;
  /** Returns the response that takes the place of a correct one. */
  readonly apply: (correct: SimulatedResponse) => SimulatedResponse;
  /** Returns the milliseconds that a response takes longer. */
  readonly delay: () => number;
};

type Choice = (phone: Phone) => boolean;

export function createFaults(accounts: readonly SimulatedAccount[]): Faults {
  const marketplaces = accounts.map(({ marketplace }) => marketplace);
  /** Those that are on, by their names in the path, with the phones that each takes offline. */
  const active = new Map<string, Choice>();

  const idsOf = ({ phones }: Marketplace, isChosen: Choice): readonly string[] =>
    phones().flatMap((phone) => (isChosen(phone) ? phone.deviceId : []));
  const count = (isChosen: Choice): number => marketplaces.flatMap((each) => idsOf(each, isChosen)).length;
  const list = (): SimulatedResponse =>
    successResponse({ active: Array.from(active, ([name, choice]) => ({ name, phones: count(choice) })) });
  const end = (names: readonly string[]): void => {
    const ended = names.flatMap((name) => active.get(name) ?? []);
    for (const name of names) active.delete(name);
    const isFree: Choice = (phone) =>
      ended.some((isChosen) => isChosen(phone)) && ![...active.values()].some((isChosen) => isChosen(phone));
    for (const marketplace of marketplaces) marketplace.release(idsOf(marketplace, isFree));
  };
  const switchOn = (name: string): SimulatedResponse => {
    const isOfApi = Object.hasOwn(API_FAULTS, name);
    const [, kind = '', value = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
    const propertyOf = Object.hasOwn(PROPERTY_OF, kind) ? PROPERTY_OF[kind] : undefined;
    if (!isOfApi && propertyOf === undefined) return errorResponse(400, 'UNKNOWN_FAULT', USAGE);
    const isTakenOffline: Choice = (phone) => propertyOf?.(phone) === value;
    if (!isOfApi && count(isTakenOffline) === 0)
      return errorResponse(404, 'NO_PHONE', `No phone has the ${kind} ${JSON.stringify(value)}.`);
    active.set(name, isTakenOffline);
    for (const marketplace of marketplaces)
      marketplace.edit(idsOf(marketplace, isTakenOffline), { online: false });
    return list();
  };

  return {
    control: ({ method, path }) => {
      const match = CONTROL_PATH.exec(path);
      if (match === null) return errorResponse(404, 'NOT_FOUND', USAGE);
      const name = match[1] === undefined ? undefined : decoded(match[1]);
      if (method === 'GET' && name === undefined) return list();
      if (method === 'PUT' && name !== undefined) return switchOn(name);
      if (method !== 'DELETE')
        return errorResponse(405, 'METHOD_NOT_ALLOWED', USAGE, { allow: 'GET, PUT, DELETE' });
      if (name !== undefined && !active.has(name))
        return errorResponse(404, 'NOT_ACTIVE', `The fault ${JSON.stringify(name)} is not on.`);
      end(name === undefined ? [...active.keys()] : [name]);
      return list();
    },
    apply: (correct) => [...active.keys()].flatMap((name) => API_FAULTS[name] ?? [])[0] ?? correct,
    delay: () => (active.has('slow') ? SLOW_MILLISECONDS : 0),
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
