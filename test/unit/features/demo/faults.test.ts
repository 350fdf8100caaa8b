import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../../src/model/enums.ts';
import { FAULTS } from '../../../faults/simulated/faults.ts';
import { good, marketplace, messageOf, TARGETS } from './faulty-responses.ts';
import { ask } from './requests.ts';

describe('the catalogue of faults', () => {
  it('has unique names in kebab case', () => {
    const names = FAULTS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('describes the effect and the endpoints of each fault', () => {
    expect(
      FAULTS.filter(({ description, endpoints }) => description === '' || endpoints.length === 0),
    ).toEqual([]);
  });

  it('leaves a response unchanged while no fault acts', () => {
    expect(good.body.toString()).toBe(JSON.stringify(ask(marketplace, TARGETS.devices).body));
    expect(good.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      date: 'Mon, 05 Jan 2026 12:00:00 GMT',
    });
  });
});

/** Responses of an endpoint that together show any fault: the list has pages. */
const REQUESTS = {
  devices: [1, 2, 3].map((page) => `${TARGETS.devices}&page=${page}`),
  tunnel: [TARGETS.tunnel],
  balance: [TARGETS.balance],
};

describe('a fault that needs no socket', () => {
  const effects = FAULTS.filter((fault) => !('onSocket' in fault)).flatMap(({ name, endpoints }) =>
    endpoints.map((endpoint) => [name, endpoint] as const),
  );

  // The tests of the exporter under each fault say which effect that has.
  it.each(effects)('%s changes a response of the endpoint %s', (name, endpoint) => {
    const changed = REQUESTS[endpoint].filter(
      (target) => !isDeepStrictEqual(messageOf(target), messageOf(target, name)),
    );
    expect(changed).not.toEqual([]);
  });

  it('leaves the marketplace unchanged', () => {
    expect(messageOf(TARGETS.devices)).toEqual(good);
    expect(Object.keys(TARGETS)).toEqual([...ENDPOINTS]);
  });
});
