import type { CauseKind } from '../model/cause.ts';
import { DEFAULT_GROUPS, groupOf } from '../model/group.ts';
import type { Phone } from './phones.ts';
import {
  errorResponse,
  type SimulatedAccount,
  type SimulatedRequest,
  type SimulatedResponse,
  successResponse,
} from './response.ts';
import { tunnelItem } from './tunnel.ts';

/** Properties by which an incident chooses its phones, by their names in the path. */
const VALUE_OF: Readonly<Record<CauseKind | 'id' | 'label', (phone: Phone, account: string) => string>> = {
  id: ({ deviceId }) => deviceId,
  label: ({ label }) => label,
  group: ({ label }) => groupOf(label, DEFAULT_GROUPS),
  tunnel_host: (phone) => (phone.rentalStatus === 'self_rented' ? tunnelItem(phone).host : ''),
  account: (_, account) => account,
  app_version: ({ appVersion }) => appVersion,
  model: ({ model }) => model,
};

/** A value may have slashes, as labels have. */
const CONTROL_PATH = /^\/-\/incidents(?:\/(?<kind>[^/]+)\/(?<value>.+))?$/;

/** Silences phones that share a property, as a power cut does, until they are released. */
export type Incidents = {
  /**
   * Responds to a request that controls incidents; it needs no key.
   * - `PUT /-/incidents/<kind>/<value>?ago=`: silences the phones with this value, some seconds ago. The kind is `group`,
   *   `tunnel_host`, `account`, `app_version` or `model`, and `id` or `label` for one phone; the power cut of a rack is
   *   `group/rack-03`. An exporter that has seen a later heartbeat keeps that one.
   * - `DELETE /-/incidents/<kind>/<value>`: lets these report again; without kind and value, all of them.
   */
  readonly respond: (request: SimulatedRequest, now: number) => SimulatedResponse;
};

type Kind = keyof typeof VALUE_OF;

/** The phones that were silenced together, by their account. */
type Incident = ReadonlyMap<SimulatedAccount, readonly string[]>;

export function isIncidentPath(path: string): boolean {
  return /^\/-\/incidents(?:\/|$)/.test(path);
}

export function createIncidents(accounts: readonly SimulatedAccount[]): Incidents {
  const incidents = new Map<string, Incident>();

  const phonesWith = (kind: Kind, value: string): Incident =>
    new Map(
      accounts.map((account) => [
        account,
        account.marketplace
          .phones()
          .filter((phone) => !phone.archived && VALUE_OF[kind](phone, account.name) === value)
          .map(({ deviceId }) => deviceId),
      ]),
    );
  const release = (names: readonly string[]): void => {
    const ended = names.map((name) => incidents.get(name));
    for (const name of names) incidents.delete(name);
    for (const account of accounts) {
      const stillSilent = new Set([...incidents.values()].flatMap((incident) => incident.get(account) ?? []));
      const ids = ended.flatMap((incident) => incident?.get(account) ?? []);
      account.marketplace.release(ids.filter((id) => !stillSilent.has(id)));
    }
  };

  return {
    respond: ({ method, path, query }, now) => {
      const { kind, value: encoded = '' } = CONTROL_PATH.exec(path)?.groups ?? {};
      for (const { marketplace } of accounts) marketplace.advance(now);
      if (method === 'DELETE' && path === '/-/incidents') {
        release([...incidents.keys()]);
        return successResponse({ phones: 0 });
      }
      const ago = Number(query.get('ago') ?? 0);
      if (!['PUT', 'DELETE'].includes(method) || !isKind(kind) || !(ago >= 0)) {
        const usage = `PUT /-/incidents/<kind>/<value>?ago=<seconds> with a kind of ${Object.keys(VALUE_OF).join(', ')}; DELETE the same, or DELETE /-/incidents for all.`;
        return errorResponse(400, 'BAD_INCIDENT', usage);
      }
      const value = decoded(encoded);
      const name = JSON.stringify([kind, value]);
      if (method === 'DELETE') {
        if (!incidents.has(name)) {
          return errorResponse(
            404,
            'NO_INCIDENT',
            `There is no incident of the ${kind} ${JSON.stringify(value)}.`,
          );
        }
        release([name]);
        return successResponse({ phones: 0 });
      }
      const incident = phonesWith(kind, value);
      const count = [...incident.values()].reduce((sum, ids) => sum + ids.length, 0);
      if (count === 0) {
        return errorResponse(404, 'NO_PHONE', `No phone has the ${kind} ${JSON.stringify(value)}.`);
      }
      incidents.set(name, incident);
      for (const [account, ids] of incident)
        account.marketplace.edit(ids, { online: false }, now - ago * 1000);
      return successResponse({ phones: count });
    },
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isKind(kind = ''): kind is Kind {
  return Object.hasOwn(VALUE_OF, kind);
}
