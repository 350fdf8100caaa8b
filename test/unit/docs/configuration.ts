import type { Setting } from '../../../src/config/settings.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';

/** docs/CONFIGURATION.md; `example` is the text of the example file. */
export function configurationDocument(example: string): string {
  const sections = CONFIG_SCHEMA.groups.map(({ section, about, settings }) =>
    [
      section === '' ? '### In no section' : `### \`${section}\``,
      ...(about === undefined ? [] : [about]),
      table(settings),
    ].join('\n\n'),
  );
  return `# Configuration

This page is derived from the settings in \`src\` by \`npm run docs\`; a test keeps it current.

A single account needs no file:

\`\`\`sh
HOSTER_API_URL=https://api.example.com HOSTER_API_KEY_FILE=/run/secrets/hoster hoster-exporter
\`\`\`

Several accounts need a YAML file. Name it with \`--config.file\` or \`HOSTER_CONFIG_FILE\`. An unknown key in it is an
error. \`hoster-exporter check\` says what is wrong, and where.

## Which value counts

**Flags win over variables, variables over the file, the file over defaults.** An empty variable counts as not set.

\`HOSTER_API_URL\` (or \`--api.url\`) describes one account, and that account **replaces** all \`accounts\` of the file. Put
its key into a file and name it with \`HOSTER_API_KEY_FILE\`, or put it into \`HOSTER_API_KEY\`; both at once are an
error. No flag and no setting takes the key itself: everyone on the machine can read a command line, and many people
read configuration files.

A reload (SIGHUP, or \`POST /-/reload\`) takes a changed setting at once, or names it as one that *needs a restart*.

\`--features.rental-ids\` turns a switch on, \`--no-features.rental-ids\` turns it off.

## Settings

${sections.join('\n\n')}

## Forms of values

- **Cron expressions** have six fields: second, minute, hour, day of the month, month, weekday. Each is \`*\`, a value, a
  range \`a-b\`, a step \`*/n\` or \`a-b/n\`, or a list of these with commas. Names such as \`jan\` and \`mon\` are allowed.
  Quote them in YAML, because \`*\` means something else there. The time zone is always UTC. The \`schedule\` of a
  maintenance window has no seconds, and its own time zone.
- **A day of the month and a weekday**: as in classic cron, either day counts where both are given and neither begins
  with \`*\`. \`0 0 3 1 * mon\` is the first of the month and every Monday.
- **Durations** are whole numbers with units, longest first: \`15m\`, \`1h30m\`, \`500ms\`.
- **Addresses of the API** begin with \`https://\`. \`http://\` is allowed for this machine only, because the key is sent
  with each request.

## A whole file

This is \`config/hoster-exporter.example.yml\`. Its first line names \`hoster-exporter.schema.json\`, which is next to it:
editors with the YAML language server complete and check the file by it. Copy both.

\`\`\`yaml
${example}\`\`\`
`;
}

function table(settings: readonly Setting[]): string {
  const rows = settings.map((setting) =>
    [
      code(setting.key),
      code(setting.flag && `--${setting.flag}`),
      code(setting.variable),
      code(setting.default),
      `${setting.description}${setting.needsRestart ? ' *Needs a restart.*' : ''}`,
      code(setting.example),
    ].join(' | '),
  );
  return ['setting | flag | variable | default | meaning | example', '---|---|---|---|---|---', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}

function code(value: string | number | boolean | undefined): string {
  return value === undefined ? '' : `\`${value}\``;
}
