import { cleanText } from '../model/text.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { isTrusted, type Reply, type RouteRequest, type Sender, textReply } from './reply.ts';

/*
 * Changes over HTTP: who may make them, and their bodies. They need a login, or without logins a request from this machine.
 */

/** The settings of the section `web`. */
type Permission = {
  readonly enable_maintenance: boolean;
  /** Logins that may change something; undefined for all. */
  readonly maintenance_users: readonly string[] | undefined;
};

/** Maximum length of the name of a person, in characters. */
const MAX_PERSON = 64;

/** The name for a request from this machine without a login. */
export const LOOPBACK = 'loopback';

const OFF = textReply(
  404,
  'Changes are disabled here: turn them on with web.enable_maintenance (--web.enable-maintenance)',
);
const NOT_ALLOWED = textReply(
  403,
  'not allowed: log in as in web.config_file. Without logins, only this machine is allowed, without a proxy and without web.external_url (docs/WEB-CONFIG.md)',
);

const NOT_A_MAINTAINER = textReply(403, 'not allowed: this user is not in web.maintenance_users');

/** Returns the refusal for a sender who may not change anything; undefined for others. */
export function refusalOf(
  sender: Sender,
  { enable_maintenance: isEnabled, maintenance_users: users }: Permission,
): Reply | undefined {
  if (!isEnabled) return OFF;
  if (!isTrusted(sender)) return NOT_ALLOWED;
  return isUserOf(users, sender) ? undefined : NOT_A_MAINTAINER;
}

/** Reports whether a sender is one of `web.maintenance_users`, or uses the Unix socket. Without the setting, everybody is. */
export function isUserOf(users: readonly string[] | undefined, { login, isLocal }: Sender): boolean {
  return users === undefined || (login === undefined ? isLocal : users.includes(login));
}

/** Reads the JSON of a change as text, or returns the reply to another body. */
export async function readChange(request: RouteRequest): Promise<string | Reply> {
  if (!/^application\/json(?:;|$)/i.test(request.contentType ?? ''))
    return textReply(415, 'expected a body of the type application/json');
  const text = await request.body();
  return text ?? textReply(413, `expected a body of at most ${MAX_BODY_BYTES / 1024} kB`);
}

/** Says that a change could not be saved, and why. */
export function notSaved(failure: string): Reply {
  return textReply(507, `nothing was changed: ${failure}`);
}

/** Names the author of a change: the person that the request names, and the login. */
export function authorOf(person: string, { login }: Sender): string {
  const name = cleanText(person, MAX_PERSON).trim();
  if (name === '') return login ?? LOOPBACK;
  return login === undefined ? name : `${name} (${login})`;
}
