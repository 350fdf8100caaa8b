import dns from 'node:dns';
import type { Gateway } from './gateway.ts';

/** Names that gateways answer for, by name; every other one is the system's business. */
const names = new Map<string, Gateway['lookup']>();

const original = dns.lookup;

/** Node looks names up through this property whenever a socket connects. */
function install(): void {
  const patched = (hostname: string, ...rest: readonly unknown[]): void => {
    const lookup = names.get(hostname);
    const callback = rest.at(-1);
    if (lookup === undefined || typeof callback !== 'function') {
      Reflect.apply(original, dns, [hostname, ...rest]);
      return;
    }
    const [options] = rest;
    const all = typeof options === 'object' && options !== null && 'all' in options && options.all === true;
    lookup(hostname, { all }, (...answer) => callback(...answer));
  };
  Reflect.set(dns, 'lookup', Object.assign(patched, original));
}

let count = 0;

/** A name that leads to a gateway as the gateway's own faults will have it, until it is forgotten. */
export function nameFor(lookup: Gateway['lookup']): { readonly name: string; readonly forget: () => void } {
  if (dns.lookup === original) install();
  count += 1;
  const name = `marketplace-${count}.localhost`;
  names.set(name, lookup);
  return { name, forget: () => names.delete(name) };
}
