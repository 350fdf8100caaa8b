import { type EncodedResponse, endpointOf } from '../../../../src/features/demo/response.ts';
import { applyFaults } from '../../../faults/simulated/fault.ts';
import { FAULTS } from '../../../faults/simulated/faults.ts';
import { ask, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

export const marketplace = marketplaceOf();
const rented = phoneThat(
  marketplace,
  (phone) => phone.rentalStatus === 'self_rented' && phone.tunnel === 'up',
);
const DEVICES = '/hoster/v1/devices';
export const TARGETS = {
  devices: `${DEVICES}?limit=50`,
  tunnel: tunnelPath(rented.deviceId),
  balance: '/hoster/v1/balance',
};

/** The message of an answer with one fault, or with none. */
export function messageOf(target: string, name?: string, count = 0): EncodedResponse {
  const [path = '', query = ''] = target.split('?');
  return applyFaults(
    ask(marketplace, target),
    FAULTS.filter((fault) => fault.name === name).map((fault) => ({ fault, count })),
    {
      endpoint: endpointOf(path) ?? 'devices',
      path,
      now: START,
      otherOrigin: 'http://localhost:1',
      respondWith: (parameters) => {
        const asked = new URLSearchParams(query);
        for (const [parameter, value] of Object.entries(parameters)) asked.set(parameter, value);
        return ask(marketplace, `${path}?${asked}`);
      },
    },
  );
}

export const good = messageOf(TARGETS.devices);
