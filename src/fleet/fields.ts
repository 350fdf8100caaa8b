import { z } from 'zod';
import { parseJson } from '../model/text.ts';

/*
 * The fields of the documents of the JSON, each with its meaning, which docs/API.md shows.
 */

export const text = (meaning: string) => z.string().describe(meaning);
export const number = (meaning: string) => z.number().describe(meaning);
export const flag = (meaning: string) => z.boolean().describe(meaning);
export const word = <const Word extends string>(words: readonly Word[], meaning: string) =>
  z.enum(words).describe(meaning);
export const list = <Item extends z.ZodType>(item: Item, meaning: string) =>
  z.array(item).readonly().describe(meaning);
export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).readonly();

/** Parses the answer of an exporter; undefined where it is no such document, or of another version. */
export function parseDocument<Schema extends z.ZodType>(
  schema: Schema,
  content: string,
): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(content)).data;
}
