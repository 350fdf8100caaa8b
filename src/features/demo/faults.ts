import { DEFAULT_GROUPS, groupOf } from '../../model/group.ts';
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
   * - `GET /-/faults`: lists those that are on, with the number of phones that each silences.
   * - `PUT /-/faults/down`, `slow` or `refused-key`: a fault of the API.
   * - `PUT /-/faults/group/<group>` or `label/<label>`: silences these phones, as a power cut does.
   * - `DELETE` of the same path, or of `/-/faults`: ends one, or all.
   */
  readonly control: (request: SimulatedRequest) => SimulatedResponse;
  /** Returns the response that takes the place of a correct one. */
  readonly apply: (correct: SimulatedResponse) => SimulatedResponse;
  /** Returns the milliseconds that a response takes longer. */
  readonly delay: () => number;
};

/** The phones that a fault silences, by their account. */
type Silenced = ReadonlyMap<SimulatedAccount, readonly string[]>;

export function createFaults(accounts: readonly SimulatedAccount[]): Faults {
  /** Those that are on, by their names in the path. */
  const active = new Map<string, Silenced>();

  const list = (): SimulatedResponse =>
    successResponse({
      active: Array.from(active, ([name, silenced]) => ({
        name,
        phones: [...silenced.values()].flat().length,
      })),
    });
  const end = (names: readonly string[]): void => {
    const ended = names.map((name) => active.get(name));
    for (const name of names) active.delete(name);
    for (const account of accounts) {
      const stillSilent = new Set([...active.values()].flatMap((silenced) => silenced.get(account) ?? []));
      const ids = ended.flatMap((silenced) => silenced?.get(account) ?? []);
      account.marketplace.release(ids.filter((id) => !stillSilent.has(id)));
    }
  };
  const switchOn = (name: string): SimulatedResponse => {
    if (Object.hasOwn(API_FAULTS, name)) {
      active.set(name, new Map());
      return list();
    }
    const [, kind = '', value = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
    const propertyOf = Object.hasOwn(PROPERTY_OF, kind) ? PROPERTY_OF[kind] : undefined;
    if (propertyOf === undefined) return errorResponse(400, 'UNKNOWN_FAULT', USAGE);
    const silenced = new Map(
      accounts.map((account) => {
        const phones = account.marketplace.phones();
        const chosen = phones.filter((phone) => propertyOf(phone) === value);
        return [account, chosen.map(({ deviceId }) => deviceId)];
      }),
    );
    if ([...silenced.values()].flat().length === 0)
      return errorResponse(404, 'NO_PHONE', `No phone has the ${kind} ${JSON.stringify(value)}.`);
    active.set(name, silenced);
    for (const [account, ids] of silenced) account.marketplace.edit(ids, { online: false });
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
