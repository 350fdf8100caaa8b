import { END_REASONS } from '../../src/model/incident.ts';
import { type Language, say, speaking } from '../../src/text/say.ts';
import { RULES_FILE, shippedText } from './shipped.ts';

/*
 * The alerts of Prometheus and the templates of Alertmanager in a language: the English files, with the texts of its catalog.
 * What people read in the English files is in the English catalog too, so that translators find it there.
 */

const TEMPLATES = 'config/alertmanager/templates';

/** Templates with texts; the others have addresses only. */
export const TEMPLATE_FILES = ['hoster.tmpl', 'discord.tmpl', 'slack.tmpl', 'ntfy.tmpl'] as const;

const ACCOUNT = { account: '{{ $labels.account }}' };
const EXPORTER = { instance: '{{ $labels.instance }}', ...ACCOUNT };

/** Texts that the English file has word for word, by the values that Prometheus fills in. */
const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'alert-watchdog': {},
  'alert-watchdog-advice': {},
  'alert-exporter-down': { instance: '{{ . }}' },
  'alert-exporter-down-advice': {},
  'alert-no-exporter': {},
  'alert-no-exporter-advice': {},
  'alert-exporter-blind': EXPORTER,
  'alert-exporter-blind-advice': {},
  'alert-exporter-stalled': { ...EXPORTER, duration: '{{ $value | humanizeDuration }}' },
  'alert-exporter-stalled-advice': {},
  'alert-exporter-restarting': EXPORTER,
  'alert-exporter-restarting-advice': { count: '{{ $value }}' },
  'alert-file-unusable-advice': {},
  'alert-key-refused': ACCOUNT,
  'alert-key-refused-advice': {},
  'alert-api-unavailable-advice': {},
  'alert-api-unavailable-long-advice': {},
  'alert-api-degraded-advice': {},
  'alert-balance-low-advice': {},
  'alert-outage-advice': {},
  'alert-no-cause-advice': {},
  'alert-sold-offline-advice': {},
  // The end of the text before.
  'alert-offline-advice': {},
  'alert-tunnel-advice': {},
  'alert-left-advice': {},
  'alert-earns-nothing-advice': {},
  'alert-flapping-advice': {},
  'alert-credential-advice': {},
  'alert-not-acknowledged-advice': {},
  'alert-acknowledged': {},
  'alert-over-unknown': {},
};

/** A message for each value of a label, in a pipeline that replaces the value by it. */
function replaced(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([value, text]) => ` | reReplaceAll "^${value}$" ${JSON.stringify(text)}`)
    .join('');
}

/** Begins in small letters, as within a sentence, unless it is an abbreviation. */
const small = (text: string): string =>
  /^\p{Lu}{2}|^\p{Lu}-|^API/u.test(text) ? text : text.charAt(0).toLocaleLowerCase() + text.slice(1);

const messages = (values: readonly string[], idOf: (value: string) => string): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, small(say(idOf(value)))]));

/** The problems of alerts about one phone, or about many that left. */
const PROBLEMS = ['sold_offline', 'self_rented_offline', 'offline', 'heartbeat_unreadable'] as const;
const TUNNEL_PROBLEMS = ['tunnel_missing', 'tunnel_down', 'tunnel_without_login'] as const;
const OTHERS = [
  ...['left', 'many_left', 'earns_nothing', 'flapping', 'credential_changed', 'many_credentials_changed'],
  ...['key_refused', 'api_unavailable', 'many_sold_offline', 'many_offline'],
] as const;
const EARNS_NOTHING = ['not_set_up', 'not_listed', 'rotation_stopped', 'idle_too_long', 'given_up'] as const;
const CONDITIONS = [
  ...['list_incomplete', 'devices_rejected', 'heartbeats_unreadable', 'fields_unreadable'],
  'tunnels_unanswered',
] as const;

function problemTexts(): Record<string, string> {
  return {
    ...messages([...PROBLEMS, ...TUNNEL_PROBLEMS], (each) => `problem-${each}`),
    ...messages(OTHERS, (each) => `incident-${each}`),
  };
}

/** What phones of an outage share, or their account. */
function place(): string {
  const kinds = ['tunnel_host', 'app_version', 'model'].map((kind) => {
    const text = say(`place-${kind}`, { value: '{{ $labels.value }}' });
    return `{{ else if eq $labels.kind "${kind}" }}${text}`;
  });
  const account = say('place-account', { value: '{{ $labels.account }}' });
  return (
    `{{ if or (not $labels.kind) (eq $labels.kind "account") }}${account}` +
    `{{ else if eq $labels.kind "group" }}{{ $labels.value }}${kinds.join('')}` +
    '{{ else }}{{ $labels.kind | reReplaceAll "_" " " }} {{ $labels.value }}{{ end }}'
  );
}

/** A passage of the English file, found by how it begins and ends, and what takes its place. */
type Passage = { readonly from: RegExp; readonly to: (group: string) => string };

const PASSAGES: readonly Passage[] = [
  {
    from: /since (\{\{ range printf "%f \+ topk[\s\S]*?UTC\{\{ end \}\})/g,
    to: (time) => say('since', { time: time.replaceAll('2 Jan 15:04', say('alert-time')) }),
  },
  {
    from: /\{\{ \.Labels\.reason [^}]*\}\} after (\{\{ \.Value [^}]*\}\})/g,
    to: (duration) =>
      say('alert-over', {
        reason: `{{ .Labels.reason${replaced(Object.fromEntries(END_REASONS.map((each) => [each, say(`end-${each}`)])))} }}`,
        duration,
      }),
  },
  { from: /(?<=\{\{ else \}\})account removed(?=\{\{ end \}\})/g, to: () => say('end-account_removed') },
  {
    from: /The exporter at \{\{ \$labels\.instance \}\} cannot use its \{\{ \$labels\.file \}\} file/g,
    to: () => {
      const files = ['configuration', 'state', 'key', 'incident', 'month'];
      const texts = Object.fromEntries(files.map((each) => [each, say(`alert-file-${each}`)]));
      return say('alert-file-unusable', {
        instance: EXPORTER.instance,
        file: `{{ $labels.file${replaced(texts)} }}`,
      });
    },
  },
  {
    from: /Marketplace API unavailable: account .*? \(\{\{.*?\}\}\)/g,
    to: () =>
      say('alert-api-unavailable', {
        ...ACCOUNT,
        reason: `{{ $labels.value${replaced({ schema: say('alert-api-schema') })} | reReplaceAll "_" " " }}`,
      }),
  },
  {
    from: /Marketplace data incomplete: account .*? \(\{\{.*?\}\}\)/g,
    to: () =>
      say('alert-api-degraded', {
        ...ACCOUNT,
        reason: `{{ or $labels.value $labels.problem${replaced({
          ...messages(CONDITIONS, (each) => `alert-condition-${each}`),
          ...messages(['tunnels_unreadable', 'balance_unreadable'], (each) => `incident-${each}`),
        })} }}`,
      }),
  },
  {
    from: /Balance low: account .*?,(\n[\s\S]*?"%\.2f" \.Value \}\}\{\{ end \}\})/g,
    to: (amount) => say('alert-balance-low', { ...ACCOUNT, amount }),
  },
  {
    from: /Outage: \{\{ if not[\s\S]*?(\n *\{\{- range \$index[\s\S]*?sortByLabel "sold" -\}\}\n *)[\s\S]*?phones offline/g,
    to: (range) => {
      const count = { count: '{{ .Value }}' };
      const [unsold, sold] = [say('alert-unsold', count), say('alert-sold', count)];
      const and = `{{ if $index }} ${say('alert-and')}{{ end }} `;
      const counts = `${range}${and}{{ if eq .Labels.sold "false" }}${unsold}{{ else }}${sold}{{ end }}{{ end }}`;
      return say('alert-outage', { place: place(), counts });
    },
  },
  {
    from: /\{\{ \$labels\.problem \| reReplaceAll "d_offline"[^}]*\}\}(\s*\{\{- with \$labels\.value \}\} \()\{\{[^}]*\}\}/g,
    to: (before) =>
      `{{ $labels.problem${replaced(problemTexts())} }}${before}{{ .${replaced(
        messages(EARNS_NOTHING, (each) => `problem-${each}`),
      )} }}`,
  },
  {
    from: /\(print "account " \.Labels\.account\)/g,
    to: () => `(print ${JSON.stringify(say('place-account', { value: '' }))} .Labels.account)`,
  },
  {
    from: /Not acknowledged: (\{\{ if \$labels\.device_id -\}\}[\s\S]*?)\n *\{\{- else if \$labels\.kind[\s\S]*?" " \}\}\{\{ end \}\}/g,
    to: (phone) =>
      say('alert-not-acknowledged', {
        subject:
          `${phone}{{ else if $labels.kind }}${place()}` +
          `{{ else }}${say('place-account', { value: ACCOUNT.account })}, {{ $labels.problem${replaced(problemTexts())} }}{{ end }}`,
      }),
  },
];

function changed(text: string, passages: readonly Passage[], file: string): string {
  return passages.reduce((before, { from, to }) => {
    if (before.search(from) === -1) throw new Error(`${file} lacks ${from.source}`);
    return before.replace(from, (_, group: string) => to(group));
  }, text);
}

const exactly = (text: string): RegExp => new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'g');

/** Texts of the English file, word for word, as passages. */
function passagesOf(
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  around: (text: string) => string = (text) => text,
): readonly Passage[] {
  return Object.entries(texts).map(([id, values]) => ({
    from: exactly(around(speaking('en', () => say(id, values)))),
    to: () => around(say(id, values)),
  }));
}

const HEAD = (file: string): string => `Derived from ${file} by \`npm run docs\`; a test keeps it current.`;

/** Returns the alerting rules in a language. */
export function rulesIn(language: Language): string {
  return speaking(language, () => {
    const text = changed(shippedText(RULES_FILE), [...PASSAGES, ...passagesOf(TEXTS)], RULES_FILE);
    return `# ${HEAD(RULES_FILE)}\n${text}`;
  });
}

/** How messages end, as the beginnings of `over`, for the templates that decide by it. */
function endings(reasons: readonly string[]): string {
  return [...reasons.map((each) => say(`end-${each}`)), say('alert-acknowledged')].join('|');
}

const KINDS = ['resolved', 'muted', 'changed', 'critical', 'warning', 'info'] as const;

function templatePassages(text: string): readonly Passage[] {
  const passages: readonly Passage[] = [
    {
      from: /\^\(in maintenance\|account removed\)/g,
      to: () => `^(${say('end-maintenance')}|${say('end-account_removed')})`,
    },
    { from: /\^rented"/g, to: () => `^${say('end-rented')}"` },
    {
      from: /\^\(rent\|offline\|left\|given up\|not set up\|acknowledged\)/g,
      to: () => `^(${endings(['rented', 'rental_ended', 'offline', 'left', 'given_up', 'not_set_up'])})`,
    },
    {
      from: /\^\(in maintenance\|account removed\|rent\|offline\|left\|given up\|not set up\|acknowledged\)/g,
      to: () =>
        `^(${endings(['maintenance', 'account_removed', 'rented', 'rental_ended', 'offline', 'left', 'given_up', 'not_set_up'])})`,
    },
    ...passagesOf(Object.fromEntries(KINDS.map((each) => [`alert-kind-${each}`, {}]))),
    ...passagesOf({ 'alert-of-account': { account: '{{ . }}' } }),
    ...passagesOf({
      'alert-in-total': { count: '{{ len . }}' },
      'alert-rest': { count: '{{ len $alerts }}' },
    }),
    ...passagesOf({ 'alert-on-it-each': {} }),
    ...passagesOf(
      {
        ...Object.fromEntries(
          ['runbook', 'page', 'note', 'notes', 'on-it', 'on-it-all', 'phones-now'].map((each) => [
            `alert-${each}`,
            {},
          ]),
        ),
      },
      (label) => `${label}:`,
    ),
  ];
  return passages.filter(({ from }) => new RegExp(from.source).test(text));
}

/** Returns a file of templates in a language. */
export function templatesIn(language: Language, name: (typeof TEMPLATE_FILES)[number]): string {
  const file = `${TEMPLATES}/${name}`;
  const text = shippedText(file);
  return speaking(
    language,
    () => `{{- /* ${HEAD(file)} */ -}}\n${changed(text, templatePassages(text), file)}`,
  );
}
