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

/** Extra time per response while the API is slow. Polls of a few hundred phones still finish in time. */
const SLOW_MILLISECONDS = 3_000;

/** API faults by their names in the path, with their response if they have one. */
const API_FAULTS: Readonly<Record<string, SimulatedResponse | undefined>> = {
  down: errorResponse(503, 'SERVICE_UNAVAILABLE', 'Down for repairs.'),
  'refused-key': errorResponse(403, 'INVALID_API_KEY', 'The API key is not valid.'),
  slow: undefined,
};

/** Properties that select phones, by their names in the path. */
const PROPERTY_OF: Readonly<Record<string, (phone: Phone) => string>> = {
  group: ({ label }) => groupOf(label, DEFAULT_GROUPS),
  label: ({ label }) => label,
};

const USAGE =
  'PUT /-/faults/<fault> starts a fault, DELETE ends it, DELETE /-/faults ends all. Faults: down, slow, refused-key, group/<group>, label/<label>.';

/** A value may contain slashes, like labels. */
const CONTROL_PATH = /^\/-\/faults(?:\/(.+))?$/;

export type Faults = Readonly<ReturnType<typeof createFaults>>;

type Choice = (phone: Phone) => boolean;

export function createFaults(accounts: readonly SimulatedAccount[]) {
  const marketplaces = accounts.map(({ marketplace }) => marketplace);
  /** Active faults with their phones, by their names in the path. */
  const active = new Map<string, Choice>();

  const idsOf = ({ phones }: Marketplace, isChosen: Choice): readonly string[] =>
    phones().flatMap((phone) => (isChosen(phone) ? phone.deviceId : []));
  const count = (isChosen: Choice): number => marketplaces.flatMap((each) => idsOf(each, isChosen)).length;
  const listActive = () => Array.from(active, ([name, choice]) => ({ name, phones: count(choice) }));
  const list = (): SimulatedResponse => successResponse({ active: listActive() });
  const end = (names: readonly string[]): void => {
    const ended = names.flatMap((name) => active.get(name) ?? []);
    for (const name of names) active.delete(name);
    const isFree: Choice = (phone) =>
      ended.some((isChosen) => isChosen(phone)) && ![...active.values()].some((isChosen) => isChosen(phone));
    for (const marketplace of marketplaces) marketplace.release(idsOf(marketplace, isFree));
  };
  const activate = (name: string): SimulatedResponse => {
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
    /**
     * Responds to a request that controls faults, without a key.
     * - `GET /-/faults`: lists the active faults and how many phones each affects.
     * - `PUT /-/faults/down`, `slow` or `refused-key`: a fault of the API.
     * - `PUT /-/faults/group/<group>` or `label/<label>`: takes these phones offline, as a power cut does.
     * - `DELETE` of the same path, or of `/-/faults`: ends one, or all.
     */
    control: ({ method, path }: Pick<SimulatedRequest, 'method' | 'path'>): SimulatedResponse => {
      const match = CONTROL_PATH.exec(path);
      if (match === null) return errorResponse(404, 'NOT_FOUND', USAGE);
      const name = match[1] === undefined ? undefined : decoded(match[1]);
      if (method === 'GET' && name === undefined) return list();
      if (method === 'PUT' && name !== undefined) return activate(name);
      if (method !== 'DELETE')
        return errorResponse(405, 'METHOD_NOT_ALLOWED', USAGE, { allow: 'GET, PUT, DELETE' });
      if (name !== undefined && !active.has(name))
        return errorResponse(404, 'NOT_ACTIVE', `The fault ${JSON.stringify(name)} is not active.`);
      end(name === undefined ? [...active.keys()] : [name]);
      return list();
    },
    active: listActive,
    /** Replaces a correct response while the API has a fault. */
    apply: (correct: SimulatedResponse): SimulatedResponse =>
      [...active.keys()].flatMap((name) => API_FAULTS[name] ?? [])[0] ?? correct,
    /** Returns the extra time of a response, in milliseconds. */
    delay: (): number => (active.has('slow') ? SLOW_MILLISECONDS : 0),
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
