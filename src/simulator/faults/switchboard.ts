import { ENDPOINTS, type Endpoint } from '../../model/enums.ts';
import type { Random } from '../random.ts';
import {
  errorResponse,
  type SimulatedRequest,
  type SimulatedResponse,
  successResponse,
} from '../response.ts';
import type { ActingFault, Fault } from './fault.ts';

/** Limits of a fault; by default it acts on every request until it is switched off. */
export type FaultOptions = {
  /** Number of requests that it leaves alone first. */
  readonly skip?: number;
  /** Number of requests that it acts on. */
  readonly times?: number;
  /** Probability of acting on a request, from 0 to 1. */
  readonly probability?: number;
};

/** A fault that is switched on. */
type ActiveFault = {
  readonly endpoint: Endpoint | 'all';
  readonly name: string;
  readonly skip: number;
  /** Number of times that it will act, Infinity without a limit. */
  readonly left: number;
  readonly probability: number;
  /** Number of times that it has acted. */
  readonly count: number;
};

/** Switches faults on and off. */
export type Switchboard = {
  /** Those that can be switched on. */
  readonly known: readonly Fault[];
  /** Switches a fault on, again if it is on. Throws a RangeError if it does not exist at the endpoint. */
  readonly on: (endpoint: Endpoint | 'all', name: string, options?: FaultOptions) => void;
  /** Switches faults off: those of an endpoint and name, of an endpoint, or all. */
  readonly off: (endpoint?: Endpoint | 'all', name?: string) => void;
  readonly active: () => readonly ActiveFault[];
  /** Returns the faults that act on the next request to an endpoint, in the order in which they were switched on. */
  readonly next: (endpoint: Endpoint) => readonly ActingFault[];
};

type Switch = { -readonly [Name in keyof ActiveFault]: ActiveFault[Name] } & { readonly fault: Fault };

/** @param random decides for faults with a probability */
export function createSwitchboard(known: readonly Fault[], random: Random): Switchboard {
  let switches: readonly Switch[] = [];
  const off: Switchboard['off'] = (endpoint, name) => {
    switches = switches.filter(
      (one) => (endpoint ?? one.endpoint) !== one.endpoint || (name ?? one.name) !== one.name,
    );
  };
  return {
    known,
    on: (endpoint, name, { skip = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = {}) => {
      const fault = faultAt(known, endpoint, name);
      off(endpoint, name);
      switches = [...switches, { endpoint, name, skip, left: times, probability, count: 0, fault }];
    },
    off,
    active: () => switches.map(({ fault: _, ...active }) => active),
    next: (endpoint) => {
      if (switches.length === 0) return [];
      return switches.flatMap((one) => {
        const concerned =
          one.fault.endpoints.includes(endpoint) && (one.endpoint === endpoint || one.endpoint === 'all');
        return concerned && acts(one, random) ? [{ fault: one.fault, count: one.count++ }] : [];
      });
    },
  };
}

function faultAt(known: readonly Fault[], endpoint: Endpoint | 'all', name: string): Fault {
  const fault = known.find((one) => one.name === name);
  if (fault === undefined) {
    throw new RangeError(
      `There is no fault ${JSON.stringify(name)}; GET /-/faults lists those that there are.`,
    );
  }
  if (endpoint !== 'all' && !fault.endpoints.includes(endpoint)) {
    throw new RangeError(`The fault ${name} exists for ${fault.endpoints.join(', ')}, not for ${endpoint}.`);
  }
  return fault;
}

/** Returns true if a fault acts on this request, and counts the request. */
function acts(one: Switch, random: Random): boolean {
  if (one.left <= 0) return false;
  if (one.skip > 0) {
    one.skip -= 1;
    return false;
  }
  if (one.probability < 1 && random() >= one.probability) return false;
  one.left -= 1;
  return true;
}

const CONTROL_PATH = /^\/-\/faults(?:\/([^/]+)(?:\/([^/]+))?)?$/;

/**
 * Responds to a request that controls faults; it needs no key. `endpoint` is `devices`, `tunnel`, `balance` or `all`.
 * - `GET /-/faults`: lists all faults, and those that are on.
 * - `PUT /-/faults/<endpoint>/<fault>?skip=&times=&probability=`: switches one on.
 * - `DELETE /-/faults`, `/-/faults/<endpoint>` or `/-/faults/<endpoint>/<fault>`: switches off.
 */
export function respondToControl(
  switchboard: Switchboard,
  { method, path, query }: SimulatedRequest,
): SimulatedResponse {
  const match = CONTROL_PATH.exec(path);
  if (match === null) return errorResponse(404, 'NOT_FOUND', 'Faults are at /-/faults.');
  const [, endpointName, name] = match;
  const endpoint = endpointName === undefined ? undefined : endpointNamed(endpointName);
  if (endpointName !== undefined && endpoint === undefined) {
    return errorResponse(
      404,
      'UNKNOWN_ENDPOINT',
      `The endpoint must be one of: ${[...ENDPOINTS, 'all'].join(', ')}.`,
    );
  }
  if (method === 'GET' && endpointName === undefined) return listFaults(switchboard);
  if (method === 'DELETE') {
    switchboard.off(endpoint, name);
    return listFaults(switchboard);
  }
  if (method === 'PUT' && endpoint !== undefined && name !== undefined)
    return switchOn(switchboard, endpoint, name, query);
  return errorResponse(
    405,
    'METHOD_NOT_ALLOWED',
    'GET /-/faults, PUT /-/faults/<endpoint>/<fault>, DELETE /-/faults.',
    {
      allow: 'GET, PUT, DELETE',
    },
  );
}

function switchOn(
  switchboard: Switchboard,
  endpoint: Endpoint | 'all',
  name: string,
  query: URLSearchParams,
): SimulatedResponse {
  try {
    switchboard.on(endpoint, name, parseOptions(query));
  } catch (error) {
    if (error instanceof RangeError) return errorResponse(400, 'BAD_FAULT', error.message);
    throw error;
  }
  return listFaults(switchboard);
}

function parseOptions(query: URLSearchParams): FaultOptions {
  const options: { -readonly [Name in keyof FaultOptions]: FaultOptions[Name] } = {};
  for (const name of ['skip', 'times', 'probability'] as const) {
    const text = query.get(name);
    if (text === null) continue;
    const value = Number(text);
    const isValid =
      name === 'probability' ? value >= 0 && value <= 1 : Number.isSafeInteger(value) && value >= 0;
    if (text === '' || !isValid)
      throw new RangeError(`${name} must be a ${EXPECTED[name]}, not ${JSON.stringify(text)}.`);
    options[name] = value;
  }
  return options;
}

const EXPECTED = { skip: 'whole number', times: 'whole number', probability: 'number from 0 to 1' } as const;

/** In JSON, `left` is null without a limit. */
function listFaults(switchboard: Switchboard): SimulatedResponse {
  return successResponse({
    active: switchboard.active(),
    faults: switchboard.known.map(({ name, kind, description, endpoints }) => ({
      name,
      kind,
      description,
      endpoints,
    })),
  });
}

function endpointNamed(name: string): Endpoint | 'all' | undefined {
  return name === 'all' ? 'all' : ENDPOINTS.find((endpoint) => endpoint === name);
}
