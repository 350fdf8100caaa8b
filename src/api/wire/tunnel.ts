import { z } from 'zod';
import type { OpenStatus } from '../../model/status.ts';
import { OTHER } from '../../model/status.ts';
import type { CredentialSummary, Tunnel } from '../../model/tunnel.ts';
import { parseInstant } from '../instant.ts';
import { createMemo } from './memo.ts';
import { salvage } from './salvage.ts';
import { readSharedText, readText } from './text.ts';
import type { Wire } from './wire.ts';

/** More logins than one tunnel can have; a longer list is not one of this API. */
const MAX_CREDENTIALS = 1_000;

const TEXT = z.string().nullish();

/** Ports are "carried as a string"; plain numbers are taken as well, anything that has to be guessed is not. */
const PORT = z
  .union([
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
    z.number(),
  ])
  .pipe(z.int().min(1).max(65_535))
  .nullish();

/** "Self-rent tunnel" of the API document. */
const TUNNEL = z.compile(
  z.object({
    tunnelId: TEXT,
    status: TEXT,
    host: TEXT,
    socks5Port: PORT,
    httpsPort: PORT,
    transparentSocks5Port: PORT,
    uptimeStatus: TEXT,
    credentials: z.array(z.unknown()).max(MAX_CREDENTIALS).nullish(),
  }),
);

/**
 * "Credential" of the API document, without `credentialId`, `username`, `password` and `label`: what is not named here
 * is stripped, so that no login gets any further than this line.
 */
const CREDENTIAL = z.compile(z.object({ status: TEXT, createdAt: TEXT, updatedAt: TEXT }));

type Credential = {
  readonly status: OpenStatus;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
};

/** Reads `data` of a tunnel response; undefined where it is no object. */
export function readTunnel(data: unknown, wire: Wire): Tunnel | undefined {
  const tunnel = salvage(TUNNEL, data);
  if (tunnel === undefined) return undefined;
  const { events, readOpenStatus } = wire;
  if (tunnel.faulty) events.schemaViolation('tunnel');
  const { tunnelId, status, host, socks5Port, httpsPort, transparentSocks5Port, uptimeStatus, credentials } =
    tunnel.value;
  return {
    id: readText('tunnel_id', tunnelId, events),
    host: readSharedText('host', host, events),
    ports: {
      socks5: socks5Port ?? undefined,
      https: httpsPort ?? undefined,
      transparentSocks5: transparentSocks5Port ?? undefined,
    },
    status: readOpenStatus('tunnel.status', status),
    uptimeStatus: readOpenStatus('uptimeStatus', uptimeStatus),
    credentials: credentials == null ? undefined : summarise(credentials, wire),
  };
}

function summarise(items: readonly unknown[], wire: Wire): CredentialSummary {
  const counts = new Map<OpenStatus, number>([['active', 0]]);
  let oldestActiveAt: number | undefined;
  let lastChangeAt: number | undefined;
  for (const item of items) {
    const credential = readCredential(item, wire);
    if (credential === undefined) continue;
    const { status, createdAt, updatedAt } = credential;
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status === 'active') oldestActiveAt = extreme(Math.min, oldestActiveAt, createdAt);
    lastChangeAt = extreme(Math.max, lastChangeAt, updatedAt);
  }
  return { countByStatus: shared(counts), oldestActiveAt, lastChangeAt };
}

const knownCounts = createMemo<ReadonlyMap<OpenStatus, number>>(256);

/** The one map for equal ones, since a map takes more room than all else that is kept of a tunnel. */
function shared(counts: ReadonlyMap<OpenStatus, number>): ReadonlyMap<OpenStatus, number> {
  let key = '';
  for (const [status, count] of counts) key += `${status} ${count},`;
  const known = knownCounts.recall(key);
  if (known === undefined) knownCounts.keep(key, counts);
  return known ?? counts;
}

/** One login, which counts as `other` where its status is unknown; undefined where it is no object. */
function readCredential(item: unknown, { events, readOpenStatus }: Wire): Credential | undefined {
  const credential = salvage(CREDENTIAL, item);
  if (credential === undefined) {
    events.itemRejected('tunnels', 'not_an_object');
    return undefined;
  }
  if (credential.faulty) events.schemaViolation('tunnel');
  const { status, createdAt, updatedAt } = credential.value;
  return {
    status: readOpenStatus('credential.status', status) ?? OTHER,
    createdAt: parseInstant(createdAt),
    updatedAt: parseInstant(updatedAt),
  };
}

/** The earlier or later of two instants, as far as they are known. */
function extreme(
  pick: (one: number, other: number) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : pick(one, other);
}
