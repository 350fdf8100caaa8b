import type { IncomingHttpHeaders } from 'node:http';
import { LOOPBACK } from '../fleet/words.ts';
import { cleanText } from '../model/text.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { isTrusted, type Reply, type RouteRequest, type Sender, textReply } from './reply.ts';

/*
 * Changes over HTTP: who may make them, and their bodies. They require a login or, without logins, a request from this
 * machine.
 */

/** The settings of the section `web`. */
type Permission = {
  readonly enable_changes: boolean;
  /** Logins that may change something; undefined for all. */
  readonly change_users: readonly string[] | undefined;
};

/** Maximum length of a person's name, in characters. */
const MAX_PERSON = 64;

const OFF = textReply(
  404,
  'Changes are disabled here: turn them on with web.enable_changes (--web.enable-changes)',
);
const NOT_ALLOWED = textReply(
  403,
  'not allowed: log in as in web.config_file. Without logins, only this machine is allowed, without a proxy and without web.external_url (docs/WEB-CONFIG.md)',
);

const NOT_A_CHANGER = textReply(403, 'not allowed: this user is not in web.change_users');

/** Returns the refusal for a sender who may not change anything; undefined for others. */
export function refusalOf(
  sender: Sender,
  { enable_changes: isEnabled, change_users: users }: Permission,
): Reply | undefined {
  if (!isEnabled) return OFF;
  if (!isTrusted(sender)) return NOT_ALLOWED;
  return isUserOf(users, sender) ? undefined : NOT_A_CHANGER;
}

/** Reports whether a sender is one of `web.change_users`, which is everyone by default, or uses the Unix socket. */
export function isUserOf(users: readonly string[] | undefined, { login, isLocal }: Sender): boolean {
  return users === undefined || (login === undefined ? isLocal : users.includes(login));
}

/**
 * Reports whether another site's page may have sent this request. Programs such as curl send neither header. `same-site`
 * counts as foreign, because it includes other ports of this host.
 *
 * @param externalUrl address of a proxy in front of the exporter, which may send another Host
 */
export function isCrossSite(headers: IncomingHttpHeaders, externalUrl: URL | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // Sandboxed pages and local files have the origin `null`.
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.host !== host?.toLowerCase() && page.origin !== externalUrl?.origin;
}

export async function readChange(request: RouteRequest): Promise<string | Reply> {
  if (!/^application\/json(?:;|$)/i.test(request.contentType ?? ''))
    return textReply(415, 'expected a body of type application/json');
  const text = await request.body();
  return text ?? textReply(413, `expected a body of at most ${MAX_BODY_BYTES / 1024} kB`);
}

/** Says that a change could not be saved, and why. */
export function notSaved(failure: string): Reply {
  return textReply(507, `nothing was changed: ${failure}`);
}

/** Names the author of a change: the person named in the request, and the login. */
export function authorOf(person: string, { login }: Sender): string {
  const name = cleanText(person, MAX_PERSON).trim();
  if (name === '') return login ?? LOOPBACK;
  return login === undefined ? name : `${name} (${login})`;
}
