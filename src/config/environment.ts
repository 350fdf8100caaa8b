import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';
import { unknownVariable } from './unknown.ts';

/** The variables of a process. One that is empty counts as not set, since that is how containers leave one out. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text from outside of the file, and what messages call the place that it comes from. */
export type Given = { readonly text: string; readonly origin: string };

/** Holds the key itself where the account comes from the environment. It is never read here. */
export const KEY_VARIABLE = 'HOSTER_API_KEY';

export const FILE_VARIABLE = 'HOSTER_CONFIG_FILE';

/** Kubernetes sets such variables in all pods beside a service that is called hoster-exporter. */
const OF_KUBERNETES = /^HOSTER_EXPORTER_/;

/** Whether a variable is there and holds something. */
export function isSet(environment: Environment, variable: string): boolean {
  return (environment[variable] ?? '') !== '';
}

/** What variables and flags say, by the name of the setting; flags win. */
export function givenBy(
  environment: Environment,
  flags: ReadonlyMap<string, string>,
): ReadonlyMap<string, Given> {
  const all = SETTINGS.flatMap((setting) => {
    const given = givenFor(setting, environment, flags);
    return given === undefined ? [] : [[setting.name, given] as const];
  });
  return new Map(all);
}

function givenFor(
  { name, flag, variable }: Setting,
  environment: Environment,
  flags: ReadonlyMap<string, string>,
): Given | undefined {
  const byFlag = flags.get(name);
  if (byFlag !== undefined) return { text: byFlag, origin: `--${flag}` };
  const byVariable = variable === undefined ? '' : (environment[variable] ?? '');
  return variable === undefined || byVariable === '' ? undefined : { text: byVariable, origin: variable };
}

/** A sentence for each variable that looks like one of ours and is none; `others` are those that the file names. */
export function strayVariables(environment: Environment, others: readonly string[]): readonly string[] {
  const ours = [KEY_VARIABLE, FILE_VARIABLE, ...SETTINGS.flatMap(({ variable }) => variable ?? [])];
  return Object.keys(environment)
    .filter((variable) => variable.startsWith('HOSTER_') && isSet(environment, variable))
    .filter((variable) => !OF_KUBERNETES.test(variable) && ![...ours, ...others].includes(variable))
    .sort()
    .map((variable) => unknownVariable(variable, ours));
}
