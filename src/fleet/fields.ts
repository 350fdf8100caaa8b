import * as z from 'zod';
import { parseJson } from '../model/text.ts';

/*
 * Fields of the JSON documents, each with its description in docs/API.md.
 */

export const text = (meaning: string) => z.string().describe(meaning);
export const number = (meaning: string) => z.number().describe(meaning);
export const flag = (meaning: string) => z.boolean().describe(meaning);
export const word = <const Word extends string>(words: readonly Word[], meaning: string) =>
  z.enum(words).describe(meaning);
export const list = <Item extends z.ZodType>(item: Item, meaning: string) =>
  z.array(item).readonly().describe(meaning);
export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).readonly();

/** Parses a response of an exporter; undefined for another document or version. */
export function parseDocument<Schema extends z.ZodType>(
  schema: Schema,
  content: string,
): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(content)).data;
}
