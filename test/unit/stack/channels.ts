import { ALERTMANAGER_FILE, shippedText } from '../../rules/shipped.ts';

/** A channel with an Alertmanager configuration of its own. */
export type Channel = {
  readonly name: string;
  readonly title: string;
  /** The oldest Alertmanager that reads its secret from a file. */
  readonly since: string;
  /** Values to fill in, listed below the first line. */
  readonly blanks: readonly string[];
  /** The lines of `global`, if the channel has any. */
  readonly global?: (shipped: string) => string;
  /** Setting that makes a message silent. */
  readonly quiet?: string;
  /** The lines of the receiver `page`, which the two others refer to. */
  readonly receiver: (shipped: string) => string;
};

const SECRETS = '/etc/alertmanager/secrets';

export const CHANNELS: readonly Channel[] = [
  {
    name: 'telegram',
    title: 'Telegram',
    since: '0.26',
    quiet: 'disable_notifications: true',
    blanks: ['YOUR_CHAT_ID below', `the token of the bot, in ${SECRETS}/telegram-bot-token`],
    receiver: (shipped) =>
      channelOf(shipped, 'telegram')
        .replace(/^ *bot_token: .*\n/m, `        bot_token_file: ${SECRETS}/telegram-bot-token\n`)
        .replace('chat_id: 1', 'chat_id: YOUR_CHAT_ID'),
  },
  {
    name: 'discord',
    title: 'Discord',
    since: '0.28',
    blanks: [`the address of the webhook of your channel, in ${SECRETS}/discord-webhook-url`],
    receiver: () => `    discord_configs:
      - &discord
        webhook_url_file: ${SECRETS}/discord-webhook-url
        title: '{{ template "hoster.kind" . }}'
        message: '{{ template "hoster.discord.text" . }}'
        send_resolved: true
`,
  },
  {
    name: 'ntfy',
    title: 'ntfy',
    since: '0.32',
    blanks: [
      'YOUR_TOPIC below: everyone who knows it can read your alerts, so choose one that is hard to guess',
      'the address of your server, if it is not https://ntfy.sh',
    ],
    receiver: () => `    webhook_configs:
      - &ntfy
        url: https://ntfy.sh
        payload:
          topic: YOUR_TOPIC
          title: '{{ template "hoster.ntfy.title" . }}'
          message: '{{ template "hoster.ntfy.message" . }}'
          priority: '{{ template "hoster.priority" . }}'
        send_resolved: true
`,
  },
  {
    name: 'pushover',
    title: 'Pushover',
    since: '0.26',
    quiet: "priority: '-1'",
    blanks: [
      'YOUR_USER_KEY below, or the key of a group',
      `the token of your application, in ${SECRETS}/pushover-token`,
    ],
    receiver: () => `    pushover_configs:
      - &pushover
        token_file: ${SECRETS}/pushover-token
        user_key: YOUR_USER_KEY
        title: '{{ template "hoster.title" . }}'
        message: '{{ template "hoster.text" . }}'
        # A page rings every minute for an hour, or until somebody confirms it. The resolved message is silent.
        priority: '{{ if eq .Status "firing" }}2{{ else }}-1{{ end }}'
        retry: 1m
        expire: 1h
        send_resolved: true
`,
  },
  {
    name: 'slack',
    title: 'Slack',
    since: '0.25',
    blanks: [`the address of the webhook of your channel, in ${SECRETS}/slack-webhook-url`],
    receiver: (shipped) => channelOf(shipped, 'slack').replace(/^ *channel: .*\n/m, ''),
  },
  {
    name: 'mail',
    title: 'mail',
    since: '0.25',
    blanks: ['YOUR_MAIL_SERVER and YOUR_ADDRESS below', `the password, in ${SECRETS}/smtp-password`],
    global: (shipped) =>
      blockOf(shipped, 'global')
        .replace('mail.example.com', 'YOUR_MAIL_SERVER')
        .replaceAll('hoster-exporter@example.com', 'YOUR_ADDRESS'),
    receiver: (shipped) => channelOf(shipped, 'email').replace('you@example.com', 'YOUR_ADDRESS'),
  },
  {
    name: 'webhook',
    title: 'a webhook',
    since: '0.26',
    blanks: [`the address that receives the alerts as JSON, in ${SECRETS}/webhook-url`],
    receiver: (shipped) => webhookOf(shipped, 'webhook', `${SECRETS}/webhook-url`),
  },
];

/** Derives the configuration without a channel: alerts are shown by Alertmanager and Grafana. */
export function offlineConfiguration(): string {
  const shipped = shippedText(ALERTMANAGER_FILE);
  return `# Notifies nobody: alerts are shown by Alertmanager and Grafana. For Alertmanager 0.25 or newer.
# Derived from ${ALERTMANAGER_FILE} by \`npm run docs\`; a test keeps it current.

${sectionsBetween(shipped, 'route', 'receivers')}receivers:
  - name: page
  - name: notify
  - name: digest
  - name: watchdog

${sectionsBetween(shipped, 'inhibit_rules', undefined)}`;
}

/** Derives the configuration of one channel from the shipped one: its routes and inhibitions, and nobody else's blanks. */
export function configurationFor({ name, title, since, blanks, global, quiet, receiver }: Channel): string {
  const shipped = shippedText(ALERTMANAGER_FILE);
  const own = receiver(shipped);
  const [, key = '', anchor = ''] = /^ *(\w+):\n *- &(\w+)$/m.exec(own) ?? [];
  const others = [
    `  - name: notify\n    ${key}: [${quiet === undefined ? `*${anchor}` : `{ <<: *${anchor}, ${quiet} }`}]\n`,
    `  # Sends no resolved messages.\n  - name: digest\n    ${key}: [{ <<: *${anchor}, ${quiet === undefined ? '' : `${quiet}, `}send_resolved: false }]\n`,
  ];
  return `# Routing: who gets which alert, and what is suppressed. Sends every message by ${title}. For Alertmanager ${since} or newer.
# Derived from ${ALERTMANAGER_FILE} by \`npm run docs\`; a test keeps it current.
#
# Fill in:
${blanks.map((blank) => (blank.startsWith(' ') ? `# ${blank}` : `# - ${blank}`)).join('\n')}

templates:
  - templates/*.tmpl
${global === undefined ? '' : `\n${global(shipped)}`}
${sectionsBetween(shipped, 'route', 'receivers')}receivers:
  # Wakes somebody.
  - name: page
${own}
  # For today.
${others.join('')}
  # Heartbeat every minute for a dead man's switch such as healthchecks.io. To use one, put its address into the
  # file and take the # out of the three lines: sed -i '/name: watchdog/,$ s/^    #/    /' alertmanager.${name}.yml
  - name: watchdog
    #webhook_configs:
    #  - url_file: ${SECRETS}/watchdog-url
    #    send_resolved: false

${sectionsBetween(shipped, 'inhibit_rules', undefined)}`;
}

/** The lines of one channel of the receiver `page`, without comments. */
function channelOf(shipped: string, channel: string): string {
  const [lines = ''] = new RegExp(`^    ${channel}_configs:\\n(?:      .*\\n)+`, 'm').exec(shipped) ?? [];
  return lines.replaceAll(/^ *#.*\n/gm, '');
}

function webhookOf(shipped: string, name: string, file: string): string {
  return channelOf(shipped, 'webhook')
    .replace('&webhook', `&${name}`)
    .replace(/url: .*/, `url_file: ${file}`);
}

/** The lines of one key of the file. */
function blockOf(shipped: string, key: string): string {
  return new RegExp(`^${key}:\\n(?:  .*\\n)+`, 'm').exec(shipped)?.[0] ?? '';
}

/** The lines from the comment above one key of the file to the comment above another, or to the end. */
function sectionsBetween(shipped: string, from: string, to: string | undefined): string {
  const startOf = (key: string) => new RegExp(`(?:^#.*\\n)*^${key}:$`, 'm').exec(shipped)?.index ?? 0;
  return shipped.slice(startOf(from), to === undefined ? undefined : startOf(to));
}
