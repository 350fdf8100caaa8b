import { isMap, isScalar, isSeq, parseDocument, stringify, visit } from 'yaml';
import { ConfigError } from '../../config/messages.ts';
import type { ChannelName, Destination } from './channels.ts';

/*
 * The configuration of Alertmanager that sends to a channel: the shipped file of the channel, with its blanks filled in, for
 * the version that is to load it.
 */

/** The shipped configurations of Alertmanager, and the folder of their templates. */
export const SHIPPED = new URL('../../../config/alertmanager/', import.meta.url);

/** Folders of the secrets and of the templates of messages, as Alertmanager sees them. */
export type Folders = { readonly secretsFolder: string; readonly templatesFolder: string };

export type RouteOptions = Folders & {
  /** Version of Alertmanager, such as 0.25.0. */
  readonly alertmanagerVersion: string;
  /** Proxy for the messages, if they need one. */
  readonly proxy: string | undefined;
  readonly telegramApi: URL;
};

/** The settings that take a secret itself, where Alertmanager is older than the version from which on a file can hold it. */
const INLINE: Readonly<Record<string, { readonly setting: string; readonly since: number }>> = {
  telegram: { setting: 'bot_token', since: 26 },
  discord: { setting: 'webhook_url', since: 28 },
  pushover: { setting: 'token', since: 26 },
  webhook: { setting: 'url', since: 26 },
};

const SECRETS = /\/etc\/alertmanager\/secrets\/([\w-]+)/g;

/**
 * Returns the file of Alertmanager for a destination.
 *
 * @param shipped `alertmanager.CHANNEL.yml` of this project
 * @throws ConfigError with a sentence why this version cannot send there
 */
export function routesOf(shipped: string, to: Destination, options: RouteOptions): string {
  const { alertmanagerVersion: version, secretsFolder, templatesFolder } = options;
  const minor = Number(version.split('.')[1]);
  if (to.channel === 'ntfy' && minor === 31)
    throw new ConfigError([
      'Alertmanager 0.31 cannot send to ntfy: upgrade it to 0.32, or choose another channel.',
    ]);
  if (to.topic && minor < 28)
    throw new ConfigError([
      'Alertmanager before 0.28 cannot send into a topic: upgrade it, or answer 0 for the topic.',
    ]);
  const text = shipped
    .replaceAll(SECRETS, (_, name: string) => valueText(`${secretsFolder}/${name}`))
    .replace('templates/*.tmpl', () => valueText(`${templatesFolder}/*.tmpl`))
    .replace(/^(?:#.*\n)*/, headerOf(to.channel, version));
  const inline = INLINE[to.channel];
  const blanks: Blanks = {
    ...BLANKS[to.channel]?.(to, minor, options),
    // In the receiver `page`, which the others refer to.
    ...(to.is_proxied && {
      send_resolved: { http_config: { proxy_url: options.proxy }, send_resolved: true },
    }),
    // Alertmanager that is too old to read the secret from a file has it in the configuration.
    ...(inline && minor < inline.since && { [`${inline.setting}_file`]: { [inline.setting]: to.secret } }),
  };
  return Object.entries(blanks).reduce((filled, [name, lines]) => withLines(filled, name, lines), text);
}

function headerOf(channel: string, version: string): string {
  return `# Who is told, how, and what keeps quiet about what: ${channel}, for Alertmanager ${version}.
# Written by \`hoster-exporter setup\`, which shows the difference, and asks, before it writes this file again.
`;
}

/** Settings to write in the place of one, by its name. Undefined values have no line. */
type Blanks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Settings that a channel fills in. */
const BLANKS: Partial<
  Record<ChannelName, (to: Destination, minor: number, options: RouteOptions) => Blanks>
> = {
  telegram: ({ chat, topic }, _, { telegramApi: { hostname, href } }) => ({
    chat_id: {
      chat_id: chat,
      message_thread_id: topic || undefined,
      api_url: hostname === 'api.telegram.org' ? undefined : href.replace(/\/$/, ''),
    },
  }),
  ntfy: ({ secret }, minor) => {
    const address = secret.replace(/[?#].*$/, '').replace(/\/+$/, '');
    if (minor < 31) return { url: { url: `${address}${NTFY_TEMPLATE}` }, payload: {} };
    // The address of a topic is that of its server and its name.
    const end = address.lastIndexOf('/');
    return { url: { url: address.slice(0, end) }, topic: { topic: address.slice(end + 1) } };
  },
  pushover: ({ pushover_user }) => ({ user_key: { user_key: pushover_user } }),
  mail: ({ mail_server, mail_address, secret }) => ({
    to: { to: mail_address },
    // Alertmanager speaks TLS from the first byte at port 465 alone, and then must not ask for STARTTLS.
    smtp_smarthost: {
      smtp_smarthost: mail_server,
      smtp_require_tls: mail_server?.endsWith(':465') ? false : undefined,
    },
    smtp_from: { smtp_from: mail_address },
    smtp_auth_username: { smtp_auth_username: secret === '' ? undefined : mail_address },
    ...(secret === '' && { smtp_auth_password_file: {} }),
  }),
};

/** A text of the alerts as ntfy makes it, for an Alertmanager that cannot make it. */
const NTFY_TEMPLATE =
  '?tpl=1&t={{.status}}&m={{range%20.alerts}}{{.annotations.summary}}{{if%20eq%20.status%20%22firing%22}}{{with%20.annotations.since}}%20{{.}}{{end}}{{else}}{{with%20.annotations.over}},%20{{.}}{{end}}{{end}}%0A{{end}}';

/** Replaces the first lines of a setting by others, so that every other line stays as it is. */
function withLines(text: string, setting: string, lines: Readonly<Record<string, unknown>>): string {
  const own = new RegExp(`^( +)${setting}:.*\\n(?:\\1 +.*\\n)*`, 'm');
  return text.replace(own, (_, indentation: string) =>
    Object.entries(lines)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${indentation}${name}: ${valueText(value)}\n`)
      .join(''),
  );
}

function valueText(value: unknown): string {
  return stringify(value, { lineWidth: 0, singleQuote: true, collectionStyle: 'flow' }).trim();
}

/** Keys whose values are names of receivers and times. */
const NAMES = new Set<unknown>(['name', 'receiver', 'mute_time_intervals']);

/** The lists of the routes of this project that an Alertmanager with others gets. */
const LISTS = ['templates', 'time_intervals', 'receivers', 'inhibit_rules'];

/**
 * Returns the routes of this project as items for the lists of an Alertmanager that has others: with names of their own, and
 * under a route for the alerts of this project alone.
 *
 * @param text what {@link routesOf} returned
 */
export function routeItems(text: string): Readonly<Record<string, string>> {
  const document = parseDocument(text);
  const own = (name: unknown): string => `hoster-${name}`;
  const global = document.get('global');
  const settings = isMap(global) ? global.items : [];
  const mail = settings.map(({ key, value }) =>
    document.createPair(String(key).replace(/^smtp_/, ''), value),
  );
  visit(document, {
    Alias: (_, alias) => {
      alias.source = own(alias.source);
    },
    Value: (_, node) => {
      Object.assign(node, { commentBefore: undefined, comment: undefined, spaceBefore: false });
      if (node.anchor) node.anchor = own(node.anchor);
    },
    Pair: (_, { key, value }) => {
      const name = isScalar(key) ? key.value : undefined;
      for (const item of isSeq(value) ? value.items : [value]) {
        if (NAMES.has(name) && isScalar(item)) item.value = own(item.value);
        // Our global mail settings move into our receivers: the owner has others.
        if (name === 'email_configs' && isMap(item) && !item.has('<<')) item.items.unshift(...mail);
      }
    },
  });
  const route = document.get('route');
  if (!isMap(route)) throw new Error('no route');
  route.items.unshift(document.createPair('matchers', ['alertname=~"Hoster.+"']));
  const lists = LISTS.filter((name) => document.has(name)).map((name) => [name, document.get(name)] as const);
  return Object.fromEntries(
    [...lists, ['route.routes', [route]] as const].map(([keys, list]) => [
      keys,
      stringify(list, { lineWidth: 0, singleQuote: true }),
    ]),
  );
}

/** Settings of the account in the file of the exporter. An undefined one is removed. */
export type AccountAnswers = {
  readonly api_url: string;
  /** The key file, as the exporter sees it. */
  readonly api_key_file: string;
  readonly currency?: string | undefined;
  readonly time_zone?: string;
  /** The API responds only through the proxy of the environment. */
  readonly is_proxied?: boolean;
};

const NEW_CONFIGURATION = `# Written by \`hoster-exporter setup\`, which changes only these settings when it runs again. docs/CONFIGURATION.md lists
# the others, which may stand here too.
accounts:
  - name: default
`;

/** Returns the configuration file of the exporter with the account changed, and everything else as it was. */
export function configurationOf(existing: string | undefined, answers: AccountAnswers): string {
  const { time_zone, is_proxied, ...account } = answers;
  const settings = [
    ...Object.entries(account).map(([name, value]) => [['accounts', 0, name], value] as const),
    [['time_zone'], time_zone] as const,
    ...(is_proxied ? [[['client', 'proxy_from_environment'], true] as const] : []),
  ];
  return settings.reduce<string>(
    (text, [path, value]) => withValue(text, path, value),
    existing ?? NEW_CONFIGURATION,
  );
}

/** Sets one value of a YAML text. A value that is there is replaced in its place, so that all else stays as it is. */
function withValue(text: string, path: readonly unknown[], value: string | boolean | undefined): string {
  const document = parseDocument(text);
  const node = document.getIn(path, true);
  if (value === undefined && node === undefined) return text;
  if (isScalar(node) && node.value === value) return text;
  if (isScalar(node) && value !== undefined && node.range) {
    const [start, end] = node.range;
    return text.slice(0, start) + valueText(value) + text.slice(end);
  }
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
  return document.toString({ lineWidth: 0 });
}
