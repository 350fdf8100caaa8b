import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { type EncodedResponse, endpointOf } from '../../../../src/features/demo/response.ts';
import { applyFaults } from '../../../faults/simulated/fault.ts';
import { FAULTS } from '../../../faults/simulated/faults.ts';
import { ask, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

const marketplace = marketplaceOf();
const rented = phoneThat(marketplace, ({ rentalStatus, tunnel }) => {
  return rentalStatus === 'self_rented' && tunnel === 'up';
});

/** Requests of an endpoint that together show any fault: the list has pages. */
const REQUESTS = {
  devices: [1, 2, 3].map((page) => `/hoster/v1/devices?limit=50&page=${page}`),
  tunnel: [tunnelPath(rented.deviceId)],
  balance: ['/hoster/v1/balance'],
};

/** The response with one fault, or with none. */
function responseTo(target: string, name?: string): EncodedResponse {
  const [path = '', query = ''] = target.split('?');
  const faults = FAULTS.filter((fault) => fault.name === name).map((fault) => ({ fault, count: 0 }));
  return applyFaults(ask(marketplace, target), faults, {
    endpoint: endpointOf(path) ?? 'devices',
    path,
    now: START,
    otherOrigin: 'http://localhost:1',
    respondWith: (parameters) => {
      const asked = new URLSearchParams(query);
      for (const [parameter, value] of Object.entries(parameters)) asked.set(parameter, value);
      return ask(marketplace, `${path}?${asked}`);
    },
  });
}

const EFFECTS = FAULTS.filter((fault) => !('onSocket' in fault)).flatMap(({ name, endpoints }) =>
  endpoints.map((endpoint) => [name, endpoint] as const),
);

// The tests of the exporter under each fault say which effect that has; some are harmless.
it.each(EFFECTS)(
  'the fault %s changes a response of the endpoint %s, and not the marketplace',
  (name, endpoint) => {
    const good = REQUESTS[endpoint].map((target) => responseTo(target));
    const faulty = REQUESTS[endpoint].map((target) => responseTo(target, name));
    expect(isDeepStrictEqual(faulty, good)).toBe(false);
    expect(REQUESTS[endpoint].map((target) => responseTo(target))).toEqual(good);
  },
);
