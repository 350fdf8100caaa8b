import type { Endpoint } from '../../model/endpoint.ts';
import type { Random } from '../random.ts';
import { FAULTS } from './catalog.ts';
import type { Fault } from './fault.ts';

/** How long and how often a fault acts; by default on every request until it is switched off. */
export type FaultOptions = {
  /** Lets so many requests pass first. */
  readonly skip?: number;
  /** Acts so many times, then no more. */
  readonly times?: number;
  /** Acts on a request with this probability, from 0 to 1. */
  readonly probability?: number;
};

/** A fault that is switched on. */
export type ActiveFault = {
  readonly endpoint: Endpoint | 'all';
  readonly name: string;
  readonly skip: number;
  /** How often it will still act; Infinity if it was not limited. */
  readonly left: number;
  readonly probability: number;
  /** How often it has acted. */
  readonly count: number;
};

/** A fault that acts on a request, and how often it did so before. */
export type ActingFault = { readonly fault: Fault; readonly count: number };

/** Which faults are switched on. */
export type Switchboard = {
  /** Switches a fault on, anew if it was on already. Throws a RangeError for a fault that does not exist there. */
  readonly on: (endpoint: Endpoint | 'all', name: string, options?: FaultOptions) => void;
  /** Switches faults off: those of an endpoint and name, of an endpoint, or all. */
  readonly off: (endpoint?: Endpoint | 'all', name?: string) => void;
  readonly active: () => readonly ActiveFault[];
  /** The faults that act on the next request to this endpoint, in the order in which they were switched on. */
  readonly next: (endpoint: Endpoint) => readonly ActingFault[];
};

type Switch = { -readonly [Name in keyof ActiveFault]: ActiveFault[Name] } & { readonly fault: Fault };

const BY_NAME = new Map(FAULTS.map((fault) => [fault.name, fault]));

/** Everything is off at first. `random` decides where a probability was given. */
export function createSwitchboard(random: Random): Switchboard {
  let switches: readonly Switch[] = [];
  const off: Switchboard['off'] = (endpoint, name) => {
    switches = switches.filter(
      (one) => (endpoint ?? one.endpoint) !== one.endpoint || (name ?? one.name) !== one.name,
    );
  };
  return {
    on: (endpoint, name, { skip = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = {}) => {
      const fault = faultAt(endpoint, name);
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

function faultAt(endpoint: Endpoint | 'all', name: string): Fault {
  const fault = BY_NAME.get(name);
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

/** Whether a fault acts on this request, which uses up what was limited. */
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
