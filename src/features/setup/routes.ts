import { isMap, isScalar, isSeq, parseDocument, stringify, visit } from 'yaml';
import { threadOf } from '../../base/telegram.ts';
import { parseFile } from '../../config/file.ts';
import { ConfigError } from '../../config/messages.ts';
import type { ChannelName, Destination } from './channels.ts';
import type { Watchdog } from './watchdog.ts';

/*
 * The Alertmanager configuration for a channel: the shipped file with the answers filled in, for the version that will load
 * it.
 */

/** The shipped Alertmanager configurations and their templates. */
export const SHIPPED = new URL('../../../config/alertmanager/', import.meta.url);

/** Folders of the secrets and the message templates, as Alertmanager sees them. */
export type Folders = {
  readonly secretsFolder: string;
  readonly templatesFolder: string;
  /** The subfolder with the templates in a language; undefined for English. */
  readonly templatesIn?: string | undefined;
};

export type RouteOptions = Folders & {
  /** Version of Alertmanager, such as 0.25.0. */
  readonly alertmanagerVersion: string;
  /** Proxy for messages; undefined if there is none. */
  readonly proxy: string | undefined;
  readonly telegramApi: URL;
  readonly watchdog?: Watchdog | undefined;
  /** Time zone that decides when it is night, such as Europe/Kyiv; UTC by default. */
  readonly timeZone?: string | undefined;
};

/** Settings with an inline secret, for an Alertmanager older than the minor version that reads it from a file. */
const INLINE: Readonly<Record<string, { readonly setting: string; readonly since: number }>> = {
  telegram: { setting: 'bot_token', since: 26 },
  discord: { setting: 'webhook_url', since: 28 },
  pushover: { setting: 'token', since: 26 },
  webhook: { setting: 'url', since: 26 },
};

const SECRETS = /\/etc\/alertmanager\/secrets\/([\w-]+)/g;

/**
 * Returns the Alertmanager file for a destination.
 *
 * @param shipped `alertmanager.CHANNEL.yml` of this project
 * @throws ConfigError if this version cannot send to the channel
 */
export function routesOf(shipped: string, to: Destination, options: RouteOptions): string {
  const {
    alertmanagerVersion: version,
    secretsFolder,
    templatesFolder,
    templatesIn,
    timeZone = 'UTC',
  } = options;
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
    .replace('templates/*.tmpl', () =>
      templatesIn === undefined
        ? valueText(`${templatesFolder}/*.tmpl`)
        : // The link to Grafana contains no text to translate.
          [`addresses.tmpl`, `${templatesIn}/*.tmpl`]
            .map((name) => valueText(`${templatesFolder}/${name}`))
            .join('\n  - '),
    )
    .replace('location: UTC', () => `location: ${valueText(timeZone)}`)
    .replace(
      /^(?:#.*\n)*/,
      `# Routing: who gets which alert, and what is suppressed. Sends to ${to.channel}, for Alertmanager ${version}.
# Written by \`hoster-exporter setup\`, which shows changes and asks before it overwrites this file.
`,
    );
  const inline = INLINE[to.channel];
  const blanks: Blanks = {
    ...BLANKS[to.channel]?.(to, minor, options),
    // In the receiver `page`, which the others refer to.
    ...(to.is_proxied && {
      send_resolved: { http_config: { proxy_url: options.proxy }, send_resolved: true },
    }),
    // An old Alertmanager cannot read the secret from a file.
    ...(inline && minor < inline.since && { [`${inline.setting}_file`]: { [inline.setting]: to.secret } }),
  };
  const filled = Object.entries(blanks).reduce((lines, [name, own]) => withLines(lines, name, own), text);
  return options.watchdog === undefined
    ? filled
    : withWatchdog(filled, options.watchdog, minor, options.proxy);
}

/** Enables the watchdog's receiver, whose lines are commented out in the shipped file. */
function withWatchdog(
  text: string,
  { address, is_proxied }: Watchdog,
  minor: number,
  proxy?: string,
): string {
  const start = text.search(/^ {2}# Heartbeat every minute/m);
  const receiver = text
    .slice(start)
    .replace(/^.*\n.*\n/, '  # Heartbeat every minute for your watchdog.\n')
    .replaceAll(/^ {4}#/gm, '    ')
    .replace(/^( +)send_resolved: .*\n/m, (line, indentation: string) =>
      is_proxied ? `${line}${indentation}http_config: ${valueText({ proxy_url: proxy })}\n` : line,
    );
  // An old Alertmanager cannot read the address from a file.
  const url = minor < 26 ? receiver.replace(/url_file: .*/, () => `url: ${valueText(address)}`) : receiver;
  return text.slice(0, start) + url;
}

/** Settings that replace a setting, by its name. Undefined values get no line. */
type Blanks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Settings of the channels. */
const BLANKS: Partial<
  Record<ChannelName, (to: Destination, minor: number, options: RouteOptions) => Blanks>
> = {
  telegram: ({ chat, topic, bot_answers }, _, { telegramApi: { hostname, href } }) => ({
    chat_id: {
      chat_id: chat,
      message_thread_id: threadOf(topic),
      api_url: hostname === 'api.telegram.org' ? undefined : href.replace(/\/$/, ''),
    },
    ...(bot_answers && { message: { message: '{{ template "hoster.telegram" . }}' } }),
  }),
  ntfy: ({ secret }, minor) => {
    const address = secret.replace(/[?#].*$/, '').replace(/\/+$/, '');
    if (minor < 31) return { url: { url: `${address}${NTFY_TEMPLATE}` }, payload: {} };
    // A topic's address consists of its server's address and its name.
    const end = address.lastIndexOf('/');
    return { url: { url: address.slice(0, end) }, topic: { topic: address.slice(end + 1) } };
  },
  pushover: ({ pushover_user }) => ({ user_key: { user_key: pushover_user } }),
  mail: ({ mail_server, mail_address, mail_user = mail_address, secret }) => ({
    to: { to: mail_address },
    // Alertmanager uses TLS from the first byte only on port 465, where STARTTLS must be off.
    smtp_smarthost: {
      smtp_smarthost: mail_server,
      smtp_require_tls: mail_server?.endsWith(':465') ? false : undefined,
    },
    smtp_from: { smtp_from: mail_address },
    smtp_auth_username: { smtp_auth_username: secret === '' ? undefined : mail_user },
    ...(secret === '' && { smtp_auth_password_file: {} }),
  }),
};

/** ntfy's message template, for an Alertmanager without templates for webhooks. */
const NTFY_TEMPLATE =
  '?tpl=1&t={{.status}}&m={{range%20.alerts}}{{.annotations.summary}}{{if%20eq%20.status%20%22firing%22}}{{with%20.annotations.since}}%20{{.}}{{end}}{{else}}{{with%20.annotations.over}},%20{{.}}{{end}}{{end}}%0A{{end}}';

/** Replaces the lines of a setting and keeps all others. */
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

/** The lists in an existing Alertmanager that items are added to. */
const LISTS = ['templates', 'time_intervals', 'receivers', 'inhibit_rules'];

/**
 * Returns our routes as lines for an existing Alertmanager, with unique names and below a route for our alerts only.
 *
 * @param text what {@link routesOf} returned and a person may have changed
 * @throws ConfigError if it is not YAML, or has no route
 */
export function linesForAlertmanager(text: string, path: string): string {
  parseFile(text, path, 'aliases');
  const document = parseDocument(text);
  const own = (name: unknown): string => `hoster-${name}`;
  const global = document.has('global') ? document.get('global') : undefined;
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
        // Our global mail settings move into our receivers, since the owner has others.
        if (name === 'email_configs' && isMap(item) && !item.has('<<')) item.items.unshift(...mail);
      }
    },
  });
  const route = document.get('route');
  if (!isMap(route))
    throw new ConfigError([`${path}: expected a route: run \`hoster-exporter setup\` again`]);
  route.items.unshift(document.createPair('matchers', ['alertname=~"Hoster.+"']));
  const lists = LISTS.filter((name) => document.has(name)).map((name) => [name, document.get(name)] as const);
  const content = Object.fromEntries([...lists, ['route', { routes: [route] }] as const]);
  return stringify(content, { lineWidth: 0, singleQuote: true });
}

/** Settings of the account in the exporter's file. Undefined ones are removed. */
export type AccountAnswers = {
  readonly api_url: string;
  /** The key file, as the exporter sees it. */
  readonly api_key_file: string;
  readonly currency?: string | undefined;
  readonly time_zone?: string;
  /** Undefined to leave it unchanged. */
  readonly language?: string | undefined;
  /** The API responds only through the environment's proxy. */
  readonly is_proxied?: boolean;
};

/** First lines of a configuration that setup has written. */
export const HEAD = `# Written by \`hoster-exporter setup\`, which changes only these settings when it runs again. You can add other settings from
# docs/CONFIGURATION.md.
`;

/** Returns the exporter's configuration with a changed account and everything else unchanged. */
export function configurationOf(existing: string | undefined, answers: AccountAnswers): string {
  const { time_zone, is_proxied, language, ...account } = answers;
  // English needs no setting. Without one, the page follows the browser.
  const hasLanguage = parseDocument(existing ?? '').has('language');
  const isLanguageWritten = language !== undefined && (language !== 'en' || hasLanguage);
  const settings = [
    ...Object.entries(account).map(([name, value]) => [['accounts', 0, name], value] as const),
    [['time_zone'], time_zone] as const,
    ...(isLanguageWritten ? [[['language'], language] as const] : []),
    ...(is_proxied ? [[['client', 'proxy_from_environment'], true] as const] : []),
  ];
  return settings.reduce<string>(
    (text, [path, value]) => withValue(text, path, value),
    existing ?? `${HEAD}accounts:\n  - name: default\n`,
  );
}

/** Adds a login for changes, while reading needs none; undefined if there already is a web configuration file. */
export function withPageLogin(configuration: string): string | undefined {
  if (parseDocument(configuration).getIn(['web', 'config_file']) !== undefined) return undefined;
  const text = withValue(configuration, ['web', 'config_file'], 'web.yml');
  return withValue(text, ['web', 'anonymous_reading'], true);
}

/** Sets a value in YAML text. An existing value is replaced in place, so everything else stays unchanged. */
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
