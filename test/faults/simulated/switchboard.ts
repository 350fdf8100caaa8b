import type { Random } from '../../../src/base/random.ts';
import type { Endpoint } from '../../../src/model/enums.ts';
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
    throw new RangeError(`There is no fault ${JSON.stringify(name)}.`);
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
