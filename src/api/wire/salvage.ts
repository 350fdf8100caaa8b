import type { z } from 'zod';

/** What could be read of an object, and whether fields of a wrong type had to be dropped for it. */
export type Salvaged<Value> = { readonly value: Value; readonly faulty: boolean };

/**
 * Reads an object field by field: a field of a wrong type costs that field only. Undefined where the input is no object
 * or a field that must be there is missing or wrong.
 *
 * @param schema best compiled by `z.compile`: then a valid object is read by one function, in a third of the time
 */
export function salvage<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
): Salvaged<z.output<Schema>> | undefined {
  const first = schema.safeParse(input);
  if (first.success) return { value: first.data, faulty: false };
  const remainder = first.error.issues.reduce((rest, issue) => without(rest, issue.path), input);
  const second = schema.safeParse(remainder);
  return second.success ? { value: second.data, faulty: true } : undefined;
}

/**
 * The input with what stands at `path` absent. The original is shadowed, not copied or changed, as a hostile one can
 * have a million other fields.
 */
function without(input: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...deeper] = path;
  if (key === undefined || typeof input !== 'object' || input === null) return undefined;
  return Object.create(input, { [key]: { value: without(Reflect.get(input, key), deeper) } });
}
