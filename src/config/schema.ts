import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { KeySource } from '../base/api-key.ts';
import type { Price } from '../model/money.ts';
import { ACCOUNT, CONFIG_SECTIONS, GENERAL, PRICE } from './core-settings.ts';
import type { Path } from './file.ts';
import { type Setting, type Shape, settingsOf } from './settings.ts';

export type AccountConfig = {
  /** Unique; the label `account`. */
  readonly name: string;
  /** Base address of the API, without trailing slashes. */
  readonly apiUrl: URL;
  readonly key: KeySource;
  readonly currency: string | undefined;
  /** Balance below which it is low; undefined without a limit. */
  readonly balanceLowCents: number | undefined;
};

/** Unparsed content of the file, with flags and variables merged in: sections, lists and single settings by name. */
export type Content = Readonly<Record<string, unknown>>;

const account = z.strictObject(ACCOUNT, { error: 'a map with api_url and api_key_file or api_key_env' });

const accounts = namedList(account.transform(toAccount), 'account');

const price = z
  .strictObject(PRICE, { error: 'a map with cents_per_day' })
  .transform(({ group, model, cents_per_day: centsPerDay }): Price => ({ group, model, centsPerDay }));

const prices = z.array(price, { error: 'a list of prices' });

/** The settings of the exporter itself. */
const core = z.object({
  accounts,
  ...GENERAL,
  prices,
  poll: z.object(CONFIG_SECTIONS.poll),
  offline: z.object(CONFIG_SECTIONS.offline),
  problems: z.object(CONFIG_SECTIONS.problems),
  client: z.object(CONFIG_SECTIONS.client),
  web: z.object(CONFIG_SECTIONS.web),
  log: z.object(CONFIG_SECTIONS.log),
  groups: z.object(CONFIG_SECTIONS.groups),
  state: z.object(CONFIG_SECTIONS.state),
  features: z.object(CONFIG_SECTIONS.features),
});

/**
 * The validated configuration with defaults: settings by their names in the file, durations in milliseconds. Features find
 * theirs in `content`.
 */
export type Config = z.output<typeof core> & { readonly content: Content };

/** Settings that belong together in the file. */
export type SettingGroup = {
  /** Name of their section or list; empty at the top level. Several groups may share a section. */
  readonly section: string;
  readonly shape: Shape;
  /** Schema of the list, if these are the settings of its entries. */
  readonly list?: z.ZodType;
  /** A sentence for the documents. */
  readonly about?: string;
  readonly warnings?: Warnings;
};

/** Returns sentences about values that have no effect; `originOf` returns where a value comes from. */
type Warnings = (config: Config, originOf: (path: Path) => string) => readonly string[];

type FeatureSettings<Values> = SettingGroup & { readonly of: (config: Config) => Values };

export function defineSection<S extends Shape>(
  section: string,
  shape: S,
  warnings?: (values: z.output<z.ZodObject<S>>, ...others: Parameters<Warnings>) => readonly string[],
): FeatureSettings<z.output<z.ZodObject<S>>> {
  const schema = z.object(shape);
  const of = ({ content }: Config): z.output<z.ZodObject<S>> => schema.parse(content[section]);
  const ofGroup: Warnings = (config, originOf) => warnings?.(of(config), config, originOf) ?? [];
  return { section, shape, of, warnings: ofGroup };
}

/** Declares a feature's list, whose entries have unique names. */
export function defineList<Entry extends { readonly name: string }>(
  section: string,
  entry: z.ZodType<Entry> & { readonly shape: Shape },
  { one, about }: { readonly one: string; readonly about: string },
): FeatureSettings<readonly Entry[]> {
  const list = namedList(entry, one);
  return { section, shape: entry.shape, list, about, of: ({ content }) => list.parse(content[section]) };
}

const CORE_GROUPS: readonly SettingGroup[] = [
  {
    section: 'accounts',
    shape: ACCOUNT,
    list: accounts,
    about:
      'Each account has `api_key_file` or `api_key_env`, not both. Flags and variables configure a single account.',
  },
  { section: '', shape: GENERAL },
  {
    section: 'prices',
    shape: PRICE,
    list: prices,
    about: "A list of prices. The first one that matches a phone's group and model applies.",
  },
  ...Object.entries(CONFIG_SECTIONS).map(([section, shape]) => ({ section, shape })),
];

export type ConfigSchema = {
  /** One for each section and list. */
  readonly groups: readonly (SettingGroup & { readonly settings: readonly Setting[] })[];
  /** All settings, in the order of the file. */
  readonly settings: readonly Setting[];
  /** The file. All sections and lists must be present, possibly empty. */
  readonly file: z.ZodObject;
};

export function createConfigSchema(ofFeatures: readonly SettingGroup[]): ConfigSchema {
  const bySection = new Map<string, SettingGroup>();
  for (const group of [...CORE_GROUPS, ...ofFeatures]) {
    const before = bySection.get(group.section);
    bySection.set(group.section, { ...before, ...group, shape: { ...before?.shape, ...group.shape } });
  }
  const groups = Array.from(bySection.values(), (group) => {
    const { section, shape, list } = group;
    const prefix = section === '' ? '' : list === undefined ? `${section}.` : `${section}[].`;
    return { ...group, settings: settingsOf(prefix, shape) };
  });
  const schemas = groups.map(({ section, shape, list }) =>
    section === '' ? shape : { [section]: list ?? z.strictObject(shape, { error: 'a map of settings' }) },
  );
  return {
    groups,
    settings: groups.flatMap(({ settings }) => settings),
    file: z.strictObject(Object.assign({}, ...schemas), {
      error: 'a map with accounts and sections such as poll',
    }),
  };
}

export function configOf(content: Content): Config {
  return { ...core.parse(content), content };
}

function namedList<Entry extends z.ZodType<{ readonly name: string }>>(entry: Entry, one: string) {
  return z.array(entry, { error: `a list of ${one}s` }).superRefine((list, context) => {
    for (const [index, { name }] of list.entries()) {
      if (list.findIndex((other) => other.name === name) === index) continue;
      const message = 'a unique name';
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  });
}

function toAccount(parsed: z.output<typeof account>, context: z.RefinementCtx): AccountConfig {
  const { name, api_url, api_key_file, api_key_env, currency, balance_low_cents: balanceLowCents } = parsed;
  if (api_key_file !== undefined && api_key_env === undefined)
    return { name, apiUrl: api_url, key: { file: api_key_file }, currency, balanceLowCents };
  if (api_key_env !== undefined && api_key_file === undefined)
    return { name, apiUrl: api_url, key: { environment: api_key_env }, currency, balanceLowCents };
  const message =
    api_key_file === undefined
      ? 'the path of a file with the API key, or api_key_env with the name of a variable'
      : 'only one of api_key_file and api_key_env: remove the other';
  context.addIssue({ code: 'custom', path: ['api_key_file'], message });
  return z.NEVER;
}

/**
 * Returns the part of a new configuration that a running daemon can apply. `pending` lists the settings that need a restart
 * and keep their old values.
 */
export function splitByRestart(
  { settings }: ConfigSchema,
  running: Config,
  wanted: Config,
): { readonly config: Config; readonly pending: readonly string[] } {
  const pending: string[] = [];
  const content = new Map(Object.entries(wanted.content));
  for (const { name, needsRestart, schema } of settings) {
    const [section = '', key = ''] = name.split('.');
    if (needsRestart !== true) continue;
    const [before, after] = [
      sectionOf(running.content, section),
      sectionOf(Object.fromEntries(content), section),
    ];
    if (!isDeepStrictEqual(schema.parse(before.get(key)), schema.parse(after.get(key)))) pending.push(name);
    after.delete(key);
    if (before.has(key)) after.set(key, before.get(key));
    content.set(section, Object.fromEntries(after));
  }
  return { config: configOf(Object.fromEntries(content)), pending };
}

function sectionOf(content: Content, section: string): Map<string, unknown> {
  return new Map(Object.entries(content[section] ?? {}));
}
