import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeState } from '../../../src/state/codec.ts';

describe('a state file of version 3', () => {
  it('that the program of 24 November (5f567ac) wrote is taken over', () => {
    const text = readFileSync(new URL('../../fixtures/state-of-5f567ac.json', import.meta.url), 'utf8');
    const decoded = decodeState(text);
    expect(decoded).not.toHaveProperty('refusal');
    expect(decoded).toHaveProperty('accounts');
  });
});
