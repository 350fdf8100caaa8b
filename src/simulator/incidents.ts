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

const CONTROL_PATH = /^\/-\/incidents(?:\/([^/]+)\/([^/]+))?$/;

/** Silences phones that share a property, as a power cut does, until they are released. */
export type Incidents = {
  /**
   * Responds to a request that controls incidents; it needs no key.
   * - `PUT /-/incidents/<kind>/<value>?ago=`: silences the phones with this value, some seconds ago. The kind is `group`,
   *   `tunnel_host`, `account`, `app_version` or `model`, and `id` or `label` for one phone; the power cut of a rack is
   *   `group/rack-03`. An exporter that has seen a later heartbeat keeps that one.
   * - `DELETE /-/incidents`: lets all of them report again.
   */
  readonly respond: (request: SimulatedRequest, now: number) => SimulatedResponse;
};

export function isIncidentPath(path: string): boolean {
  return CONTROL_PATH.test(path);
}

export function createIncidents(accounts: readonly SimulatedAccount[]): Incidents {
  const silenced = new Map<SimulatedAccount, readonly string[]>();

  const silence = (kind: keyof typeof VALUE_OF, value: string, at: number): number => {
    let count = 0;
    for (const account of accounts) {
      const ids = account.marketplace
        .phones()
        .filter((phone) => !phone.archived && VALUE_OF[kind](phone, account.name) === value)
        .map(({ deviceId }) => deviceId);
      account.marketplace.edit(ids, { online: false }, at);
      silenced.set(account, [...(silenced.get(account) ?? []), ...ids]);
      count += ids.length;
    }
    return count;
  };

  return {
    respond: ({ method, path, query }, now) => {
      const [, kind = '', value = ''] = CONTROL_PATH.exec(path) ?? [];
      for (const { marketplace } of accounts) marketplace.advance(now);
      if (method === 'DELETE') {
        for (const [{ marketplace }, ids] of silenced) marketplace.release(ids);
        silenced.clear();
        return successResponse({ phones: 0 });
      }
      const ago = Number(query.get('ago') ?? 0);
      if (method !== 'PUT' || !isKind(kind) || !(ago >= 0)) {
        const usage = `PUT /-/incidents/<kind>/<value>?ago=<seconds> with a kind of ${Object.keys(VALUE_OF).join(', ')}; DELETE /-/incidents.`;
        return errorResponse(400, 'BAD_INCIDENT', usage);
      }
      return successResponse({ phones: silence(kind, decoded(value), now - ago * 1000) });
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

function isKind(kind: string): kind is keyof typeof VALUE_OF {
  return Object.hasOwn(VALUE_OF, kind);
}
