import { describe, expect, it } from 'vitest';
import { decodeJson } from '../../../src/api/json.ts';

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** White space that makes a body large. */
const PADDING = ' '.repeat(256 * 1024);

const faultOf = (text: string) => decodeJson(Buffer.from(text)).fault;

describe('a large body', () => {
  it('may be nested as deep as any that the API can mean', () => {
    expect(faultOf(lists(64) + PADDING)).toBeUndefined();
  });

  it.each([65, 4_000_000])('is not parsed if it is %i levels deep', (depth) => {
    expect(faultOf(lists(depth) + PADDING)).toBe('schema');
  });

  it('may have any number of brackets in its texts', () => {
    expect(faultOf(JSON.stringify('"['.repeat(1_000)) + PADDING)).toBeUndefined();
  });
});
