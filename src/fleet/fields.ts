import * as z from 'zod';
import { parseJson } from '../model/text.ts';

/*
 * Objects of the JSON documents, each as a list of its fields. docs/API.md says what each field means, and a test compares the
 * names.
 */

/** The fields of an object: each one's schema, and how to read it from the subject. Undefined leaves it out. */
type Fields<Subject, Shape extends z.ZodRawShape> = {
  readonly [Name in keyof Shape]: readonly [
    schema: Shape[Name],
    read: (subject: Subject) => z.output<Shape[Name]>,
  ];
};

/** Declares an object that is read from a subject. */
export function objectOf<Subject>() {
  return <Shape extends z.ZodRawShape>(fields: Fields<Subject, Shape>) => {
    const entries = Object.entries(fields);
    const shape: object = Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]));
    if (!isBuiltFrom<Shape>(shape)) throw new TypeError('expected a schema for each field');
    return {
      shape,
      read: (subject: Subject): Readonly<z.output<z.ZodObject<Shape>>> => {
        const object: Record<string, unknown> = {};
        for (const [name, [, read]] of entries) {
          const value = read(subject);
          if (value !== undefined) object[name] = value;
        }
        if (!isBuiltFrom<z.output<z.ZodObject<Shape>>>(object)) throw new TypeError('expected an object');
        return object;
      },
    };
  };
}

/** The type of {@link Fields} determines what is built from them. */
function isBuiltFrom<Built>(value: unknown): value is Built {
  return typeof value === 'object';
}

export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).readonly();

/** A note by a person. One from a file has no time. */
export const NOTE = object({ text: z.string(), by: z.string(), at: z.string().optional() });

/** Cents, and their currency if one is configured. */
export const AMOUNT = object({ currency: z.string().optional(), cents: z.number() });

export type Amount = z.output<typeof AMOUNT>;

const MOVEMENT = object({
  increaseCents: z.number(),
  decreaseCents: z.number(),
  since: z.string().optional(),
});

/** Observed movements of the available balance in a period. */
export type FleetMovement = z.output<typeof MOVEMENT>;

/** The movements of an account's balance, which a feature may observe. */
export const OBSERVED = object({
  account: z.string(),
  today: MOVEMENT.optional(),
  week: MOVEMENT.optional(),
  month: MOVEMENT.optional(),
});

export type Observed = z.output<typeof OBSERVED>;

/** Parses an exporter's response; undefined for another document or version. */
export function parseDocument<Schema extends z.ZodType>(
  schema: Schema,
  content: string,
): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(content)).data;
}
