import { z } from 'zod';

/** What a person has to know of a setting. */
export type About = {
  /** One sentence. */
  readonly meaning: string;
  /** As it would be written in the file; a setting without one has to be given. */
  readonly default?: string | number | boolean;
  readonly example?: string;
  /** What flag and variable are named after where the path can't name them, since it leads through a list. */
  readonly called?: string;
};

/** A setting as flags, variables, help and documentation see it; all of it follows from the schema. */
export type Setting = About & {
  /** Its path in the file, such as `poll.stale_after`. */
  readonly name: string;
  /** `poll.stale-after`, without the hyphens in front; undefined where no flag exists. */
  readonly flag: string | undefined;
  /** `HOSTER_POLL_STALE_AFTER`; undefined where no variable exists. */
  readonly variable: string | undefined;
  /** A flag without a value, which `--no-…` turns off. */
  readonly isSwitch: boolean;
};

/** Some settings by their names. */
export type Shape = Readonly<Record<string, z.ZodType>>;

const abouts = z.registry<About>();

/** Declares a setting: the form of its value, and everything else that there is to say of it. */
export function setting<Value>(form: z.ZodType<Value>, about: About): z.ZodType<Value> {
  const schema = about.default === undefined ? form.clone() : z.prefault(form, about.default);
  abouts.add(schema, about);
  return schema;
}

/** The settings of a shape, `prefix` in front of their names. */
export function settingsOf(prefix: string, shape: Shape): readonly Setting[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const about = abouts.get(schema);
    if (about === undefined) return [];
    const name = `${prefix}${key}`;
    const called = about.called ?? (name.includes('[]') ? undefined : name);
    return {
      ...about,
      name,
      flag: called?.replaceAll('_', '-'),
      variable: called && `HOSTER_${called.toUpperCase().replaceAll('.', '_')}`,
      isSwitch: typeof about.default === 'boolean',
    };
  });
}

/** The options that a command has on top of the settings: only flags, since they are chosen anew with each call. */
export function optionsOf(shape: Shape): readonly Setting[] {
  return settingsOf('', shape).map((option) => ({ ...option, variable: undefined }));
}
