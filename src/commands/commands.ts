import { optionsHelp, settingsHelp } from '../config/flags.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { demo } from './demo.ts';
import { demoHistory } from './demo-history.ts';
import { hashPassword } from './hash-password.ts';
import { healthcheck } from './healthcheck.ts';
import { once } from './once.ts';
import { plan } from './plan.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';

/** The words of the command line; the first one is meant where none is given. */
export const COMMANDS: readonly [Command, ...Command[]] = [
  run,
  check,
  once,
  plan,
  demo,
  demoHistory,
  simulate,
  healthcheck,
  hashPassword,
];

/** The help of the program, or of one command. */
export function help(chosen: Command | undefined): string {
  const usage =
    chosen === undefined
      ? `Usage: hoster-exporter [command] [flags]\n\nCommands:\n${list(COMMANDS)}`
      : `Usage: hoster-exporter ${chosen.name} [flags]\n\n${chosen.summary}\n`;
  const own = chosen === undefined ? '' : optionsHelp(chosen.options);
  return `${usage}${own === '' ? '' : `\nOptions of ${chosen?.name}:\n${own}`}\nFlags:\n${settingsHelp()}`;
}

function list(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
}
