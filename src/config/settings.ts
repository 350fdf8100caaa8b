import * as z from 'zod';

type SettingInfo = {
  /** One sentence. */
  readonly description: string;
  /** Default in the form of the file. A setting without one is required. */
  readonly default?: string | number | boolean;
  readonly example?: string;
  /** Name for the flag and variable, if it differs from the path in the file. */
  readonly alias?: string;
  /** Shown by `--help`; `--help-all` shows all settings. */
  readonly isUsual?: true;
  /** Takes effect only after a restart, not after a reload. */
  readonly needsRestart?: true;
  /** A path. In the configuration file, a relative one starts at the file's folder. */
  readonly isPath?: true;
};

export type Setting = SettingInfo & {
  /** Path in the file, such as `poll.stale_after`. */
  readonly name: string;
  /** Last part of the name. */
  readonly key: string;
  /** `poll.stale-after`, without leading hyphens; undefined without a flag. */
  readonly flag: string | undefined;
  /** `HOSTER_POLL_STALE_AFTER`; undefined without a variable. */
  readonly variable: string | undefined;
  /** It is a flag without a value, which `--no-…` turns off. */
  readonly isSwitch: boolean;
  readonly schema: z.ZodType;
};

/** Settings by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

const infos = z.registry<SettingInfo>();

export function setting<Value>(type: z.ZodType<Value>, info: SettingInfo): z.ZodType<Value> {
  const schema = info.default === undefined ? type.clone() : z.prefault(type, info.default);
  infos.add(schema, info);
  return schema;
}

export function settingsOf(prefix: string, shape: Shape): readonly Setting[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const info = infos.get(schema);
    if (info === undefined) return [];
    const name = `${prefix}${key}`;
    const alias = info.alias ?? (name.includes('[]') ? undefined : name);
    return {
      ...info,
      name,
      key,
      flag: alias?.replaceAll('_', '-'),
      variable: alias && `HOSTER_${alias.toUpperCase().replaceAll('.', '_')}`,
      isSwitch: typeof info.default === 'boolean',
      schema,
    };
  });
}

/** Lists the options of a command. They are flags only. */
export function optionsOf(shape: Shape): readonly Setting[] {
  return settingsOf('', shape).map((option) => ({ ...option, variable: undefined }));
}
