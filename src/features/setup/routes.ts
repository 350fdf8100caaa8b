import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  visit,
  YAMLSeq,
} from 'yaml';
import type { Destination } from './channels.ts';

/*
 * The configuration of Alertmanager that sends to a channel: the shipped file of the channel, with its blanks filled in, for
 * the version that is to load it.
 */

export type RouteOptions = {
  /** Version of Alertmanager, such as 0.25.0. */
  readonly version: string;
  /** Folder of the secrets, as Alertmanager sees it. */
  readonly secretsFolder: string;
  /** Folder of the templates of messages, as Alertmanager sees it. */
  readonly templatesFolder: string;
  /** Proxy for the messages, if they need one. */
  readonly proxy: string | undefined;
  /** Other address of Telegram's Bot API than its own. */
  readonly telegramApi: string | undefined;
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
 * @returns undefined with a sentence why this version cannot send there
 */
export function routesOf(
  shipped: string,
  to: Destination,
  options: RouteOptions,
): { readonly text: string } | { readonly problem: string } {
  const minor = Number(options.version.split('.')[1]);
  if (to.channel === 'ntfy' && minor === 31)
    return {
      problem: 'Alertmanager 0.31 cannot send to ntfy: upgrade it to 0.32, or choose another channel.',
    };
  if (to.topic && minor < 28)
    return {
      problem: 'Alertmanager before 0.28 cannot send into a topic: upgrade it, or answer 0 for the topic.',
    };
  const text = shipped
    .replaceAll(SECRETS, (_, name: string) => valueText(`${options.secretsFolder}/${name}`))
    .replace('templates/*.tmpl', () => valueText(`${options.templatesFolder}/*.tmpl`))
    .replace(/^(?:#.*\n)*/, headerOf(to.channel, options.version));
  switch (to.channel) {
    case 'none':
      return { text };
    case 'mail':
      return { text: withMail(text, to) };
    default:
      return { text: withSecret(withChannel(text, to, minor, options), to, minor) };
  }
}

function headerOf(channel: string, version: string): string {
  return `# Who is told, how, and what keeps quiet about what: ${channel}, for Alertmanager ${version}.
# Written by \`hoster-exporter setup\`, which shows the difference, and asks, before it writes this file again.
`;
}

type Settings = Readonly<Record<string, unknown>>;

/** Replaces the first line of a setting by others, so that every other line stays as it is. Undefined values have no line. */
function withLines(text: string, setting: string, lines: Settings): string {
  const line = new RegExp(`^( +)${setting}: .*\\n`, 'm');
  return text.replace(line, (_, indentation: string) =>
    Object.entries(lines)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${indentation}${name}: ${valueText(value)}\n`)
      .join(''),
  );
}

function valueText(value: unknown): string {
  return stringify(value, { lineWidth: 0, singleQuote: true, collectionStyle: 'flow' }).trim();
}

/** Fills in the receiver `page`, which the others refer to. */
function withChannel(text: string, to: Destination, minor: number, options: RouteOptions): string {
  const isProxied = to.is_proxied === true && options.proxy !== undefined;
  const filled = withLines(text, 'send_resolved', {
    http_config: isProxied ? { proxy_url: options.proxy } : undefined,
    send_resolved: true,
  });
  switch (to.channel) {
    case 'telegram':
      return withLines(filled, 'chat_id', {
        chat_id: to.chat,
        message_thread_id: to.topic || undefined,
        api_url: options.telegramApi,
      });
    case 'pushover':
      return withLines(filled, 'user_key', { user_key: to.pushover_user });
    case 'ntfy':
      return withTopic(filled, to.secret, minor);
    default:
      return filled;
  }
}

/** Alertmanager that is too old to read the secret from a file has it in the configuration. */
function withSecret(text: string, { channel, secret }: Destination, minor: number): string {
  const inline = INLINE[channel];
  if (inline === undefined || minor >= inline.since) return text;
  return withLines(text, `${inline.setting}_file`, { [inline.setting]: secret });
}

/** A text of the alerts as ntfy makes it, for an Alertmanager that cannot make it. */
const NTFY_TEMPLATE =
  '?tpl=1&t={{.status}}&m={{range%20.alerts}}{{.annotations.summary}}{{if%20eq%20.status%20%22firing%22}}{{with%20.annotations.since}}%20{{.}}{{end}}{{else}}{{with%20.annotations.over}},%20{{.}}{{end}}{{end}}%0A{{end}}';

/** The address of a topic is that of its server and its name. */
function withTopic(text: string, address: string, minor: number): string {
  const plain = address.replace(/[?#].*$/, '').replace(/\/+$/, '');
  if (minor < 31)
    return withLines(text, 'url', { url: `${plain}${NTFY_TEMPLATE}` }).replace(
      /^ +payload:\n(?: +\w+: .*\n)+?(?= +(?:http_config|send_resolved):)/m,
      '',
    );
  const end = plain.lastIndexOf('/');
  return withLines(withLines(text, 'url', { url: plain.slice(0, end) }), 'topic', {
    topic: plain.slice(end + 1),
  });
}

/** Alertmanager speaks TLS from the first byte at port 465 alone, and then must not ask for STARTTLS. */
function withMail(text: string, { mail_server, mail_address, secret }: Destination): string {
  const isTls = mail_server?.endsWith(':465') === true;
  const filled = withLines(withLines(text, 'to', { to: mail_address }), 'smtp_smarthost', {
    smtp_smarthost: mail_server,
    smtp_require_tls: isTls ? false : undefined,
  });
  const from = withLines(filled, 'smtp_from', { smtp_from: mail_address });
  if (secret !== '') return withLines(from, 'smtp_auth_username', { smtp_auth_username: mail_address });
  return withLines(withLines(from, 'smtp_auth_username', {}), 'smtp_auth_password_file', {});
}

/** The lists of the routes of this project that an Alertmanager with others gets, by the keys of the lists. */
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
  visit(document, (key, node) => {
    if (isNode(node))
      Object.assign(node, { commentBefore: undefined, comment: undefined, spaceBefore: false });
    if (isAlias(node)) node.source = own(node.source);
    else if (isNode(node) && node.anchor) node.anchor = own(node.anchor);
    if (!isPair(node) || !isScalar(node.key) || key === 'key') return;
    if (node.key.value === 'receiver' && isScalar(node.value)) node.value.value = own(node.value.value);
    if (node.key.value === 'mute_time_intervals' && isSeq(node.value))
      for (const name of node.value.items) if (isScalar(name)) name.value = own(name.value);
  });
  for (const name of ['receivers', 'time_intervals'])
    for (const each of seqAt(document, name).items) if (isMap(each)) each.set('name', own(each.get('name')));
  moveMail(document);
  const route = document.get('route');
  if (!isMap(route)) throw new Error('no route');
  route.items.unshift(document.createPair('matchers', ['alertname=~"Hoster.+"']));
  const items = LISTS.map((name) => [name, seqAt(document, name)] as const);
  return Object.fromEntries(
    [...items, ['route.routes', document.createNode([route])] as const]
      .filter(([, list]) => list.items.length > 0)
      .map(([keys, list]) => [keys, linesOf(list)]),
  );
}

function seqAt(document: Document.Parsed, name: string): YAMLSeq {
  const list = document.get(name);
  return isSeq(list) ? list : new YAMLSeq();
}

/** What is global for the mail of this project is not for that of an owner. */
function moveMail(document: Document.Parsed): void {
  const global = document.get('global');
  if (!isMap(global)) return;
  const settings = global.items.flatMap(({ key, value }) => {
    const [, name] = /^smtp_(.+)$/.exec(String(key)) ?? [];
    return name === undefined ? [] : document.createPair(name, value);
  });
  for (const receiver of seqAt(document, 'receivers').items) {
    const mails = isMap(receiver) ? receiver.get('email_configs') : undefined;
    for (const mail of isSeq(mails) ? mails.items : [])
      if (isMap(mail) && !mail.has('<<')) mail.items.unshift(...settings);
  }
}

function linesOf(list: YAMLSeq): string {
  return stringify(list, { lineWidth: 0, singleQuote: true });
}

/** What the file of the exporter says of the account. */
export type AccountAnswers = {
  readonly api_url: string;
  /** The key file, as the exporter sees it. */
  readonly api_key_file: string;
  readonly currency: string | undefined;
  readonly time_zone: string;
  /** The API responds only through the proxy of the environment. */
  readonly is_proxied: boolean;
};

const HEADER = `# Written by \`hoster-exporter setup\`, which changes only these settings when it runs again. docs/CONFIGURATION.md lists
# the others, which may stand here too.
`;

/** Returns the configuration file of the exporter with the account changed, and everything else as it was. */
export function configurationOf(existing: string | undefined, answers: AccountAnswers): string {
  const { api_url, api_key_file, currency, time_zone, is_proxied } = answers;
  if (existing === undefined) {
    const account = { name: 'default', api_url, api_key_file, ...(currency !== undefined && { currency }) };
    const client = { proxy_from_environment: true };
    return HEADER + stringify({ accounts: [account], time_zone, ...(is_proxied && { client }) });
  }
  const settings = [
    [['accounts', 0, 'api_url'], api_url],
    [['accounts', 0, 'api_key_file'], api_key_file],
    [['accounts', 0, 'currency'], currency],
    [['time_zone'], time_zone],
    ...(is_proxied ? ([[['client', 'proxy_from_environment'], true]] as const) : []),
  ] as const;
  return settings.reduce<string>((text, [path, value]) => withValue(text, path, value), existing);
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
