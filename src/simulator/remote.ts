import { ENDPOINTS, type Endpoint } from '../model/endpoint.ts';
import { type Answer, failure, type Request, success } from './answer.ts';
import { FAULTS } from './faults/catalog.ts';
import type { FaultOptions, Switchboard } from './faults/switchboard.ts';

const PATH = /^\/-\/faults(?:\/([^/]+)(?:\/([^/]+))?)?$/;

/**
 * The switchboard over HTTP, for other processes; needs no key. `endpoint` is `devices`, `tunnel`, `balance` or `all`.
 * - `GET /-/faults`: every fault that there is, and those that are on.
 * - `PUT /-/faults/<endpoint>/<fault>?skip=&times=&probability=`: switches one on.
 * - `DELETE /-/faults`, `/-/faults/<endpoint>` or `/-/faults/<endpoint>/<fault>`: switches off.
 */
export function answerRemote(switchboard: Switchboard, { method, path, query }: Request): Answer {
  const match = PATH.exec(path);
  if (match === null) return failure(404, 'NOT_FOUND', 'Faults are at /-/faults.');
  const [, place, name] = match;
  const endpoint = place === undefined ? undefined : endpointNamed(place);
  if (place !== undefined && endpoint === undefined) {
    return failure(
      404,
      'UNKNOWN_ENDPOINT',
      `The endpoint must be one of: ${[...ENDPOINTS, 'all'].join(', ')}.`,
    );
  }
  if (method === 'GET' && place === undefined) return list(switchboard);
  if (method === 'DELETE') {
    switchboard.off(endpoint, name);
    return list(switchboard);
  }
  if (method === 'PUT' && endpoint !== undefined && name !== undefined)
    return put(switchboard, endpoint, name, query);
  return failure(
    405,
    'METHOD_NOT_ALLOWED',
    'GET /-/faults, PUT /-/faults/<endpoint>/<fault>, DELETE /-/faults.',
    {
      allow: 'GET, PUT, DELETE',
    },
  );
}

function put(
  switchboard: Switchboard,
  endpoint: Endpoint | 'all',
  name: string,
  query: URLSearchParams,
): Answer {
  try {
    switchboard.on(endpoint, name, optionsIn(query));
  } catch (error) {
    if (error instanceof RangeError) return failure(400, 'BAD_FAULT', error.message);
    throw error;
  }
  return list(switchboard);
}

function optionsIn(query: URLSearchParams): FaultOptions {
  const options: { -readonly [Name in keyof FaultOptions]: FaultOptions[Name] } = {};
  for (const name of ['skip', 'times', 'probability'] as const) {
    const text = query.get(name);
    if (text === null) continue;
    const value = Number(text);
    const usable =
      name === 'probability' ? value >= 0 && value <= 1 : Number.isSafeInteger(value) && value >= 0;
    if (text === '' || !usable)
      throw new RangeError(`${name} must be a ${EXPECTED[name]}, not ${JSON.stringify(text)}.`);
    options[name] = value;
  }
  return options;
}

const EXPECTED = { skip: 'whole number', times: 'whole number', probability: 'number from 0 to 1' } as const;

/** `left` is null where it is without end, since JSON has no infinity. */
function list(switchboard: Switchboard): Answer {
  return success({
    active: switchboard.active(),
    faults: FAULTS.map(({ name, kind, description, endpoints }) => ({ name, kind, description, endpoints })),
  });
}

function endpointNamed(name: string): Endpoint | 'all' | undefined {
  return name === 'all' ? 'all' : ENDPOINTS.find((endpoint) => endpoint === name);
}
