import { runCommand } from '../../run-command.ts';

/*
 * docs/hoster-exporter.8, the manual page of the Debian package, derived from the help of the program.
 */

/** An option of the help: its flag, and its description. */
type Option = { readonly flag: string; readonly text: string };

async function helpOf(...argv: readonly string[]): Promise<string> {
  return (await runCommand(argv)).out;
}

/** Returns the part of a help below a heading. */
function partOf(help: string, heading: string): string {
  const start = help.indexOf(`\n${heading}\n`);
  return start === -1 ? '' : (help.slice(start + heading.length + 2).split(/\n(?=\S|\n\S)/)[0] ?? '');
}

function optionsOf(part: string): readonly Option[] {
  return Array.from(part.matchAll(/^ {2}(-.+)\n((?: {6}.+\n?)+)/gm), ([, flag = '', text = '']) => ({
    flag,
    text: text.replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** Escapes a text for roff: no hyphen becomes a dash, and no line begins with a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

function item(term: string, text: string): string {
  return `.TP\n.B ${escaped(term)}\n${escaped(text)}\n`;
}

const listed = (options: readonly Option[]): string =>
  options.map(({ flag, text }) => item(flag, text)).join('');

/** Returns the text of docs/hoster-exporter.8. */
export async function manualPage(): Promise<string> {
  const help = await helpOf('--help-all');
  const commands = Array.from(
    partOf(help, 'Commands:').matchAll(/^ {2}(\w+) +(.+)$/gm),
    ([, name = '', text = '']) => ({
      name,
      text,
    }),
  );
  const sections = await Promise.all(
    commands.map(async ({ name }) => {
      const options = optionsOf(partOf(await helpOf(name, '--help'), `Options of ${name}:`));
      return options.length === 0 ? '' : `.SS Options of ${name}\n${listed(options)}`;
    }),
  );
  const settings = help.slice(help.indexOf('\nSettings.'));
  return `.\\" Derived from the help of the program by \`npm run docs\`; a test keeps it current.
.TH HOSTER\\-EXPORTER 8 "" hoster\\-exporter "System administration"
.SH NAME
hoster\\-exporter \\- Prometheus exporter for hosters of mobile proxies
.SH SYNOPSIS
.B hoster\\-exporter
.RI [ command ]
.RI [ flags ]
.SH DESCRIPTION
Polls the API of the marketplace for phones, tunnels and the balance, and serves metrics, a fleet page and alerts.
.SH COMMANDS
${commands.map(({ name, text }) => item(name, text)).join('')}.SH OPTIONS
${listed(optionsOf(partOf(help, 'Flags:')))}${sections.join('')}.SH SETTINGS
${escaped(settings.trim().split('\n').slice(0, 2).join('\n'))}
${listed(optionsOf(settings))}.SH FILES
${item('/etc/hoster-exporter', 'Configuration, key, and the answers of setup.')}${item('/var/lib/hoster-exporter', 'State, months and incidents.')}${item('/usr/share/doc/hoster-exporter', 'The documents.')}.SH EXIT STATUS
0 success, 1 failure, 2 wrong usage or configuration, 130 interrupted at a question.
.SH SEE ALSO
.BR prometheus (1),
.BR systemctl (1)
`;
}
