import { applyFaults } from '../../../src/simulator/faults/fault.ts';
import {
  type EncodedResponse,
  endpointOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
} from '../../../src/simulator/response.ts';
import { FAULTS } from '../../faults/simulated/faults.ts';
import { ask, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

export const marketplace = marketplaceOf();
const rented = phoneThat(
  marketplace,
  (phone) => phone.rentalStatus === 'self_rented' && phone.tunnel === 'up',
);
export const DEVICES = '/hoster/v1/devices';
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

export const textOf = (message: EncodedResponse) => message.body.toString();

/** `data` of a message that is JSON. */
export function dataIn(message: EncodedResponse): JsonObject {
  const body: Json = JSON.parse(textOf(message));
  const data = isObject(body) ? body['data'] : undefined;
  return isObject(data) ? data : {};
}

export const itemsIn = (message: EncodedResponse): readonly Json[] => listOf(dataIn(message)['items']);
export const recordsIn = (message: EncodedResponse) =>
  itemsIn(message).map((item) => (isObject(item) ? item : {}));
export const fieldIn = (message: EncodedResponse, name: string) =>
  recordsIn(message).map((record) => record[name]);
export const good = messageOf(TARGETS.devices);
