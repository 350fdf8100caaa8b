import { expect, it } from 'vitest';
import { describeCrash } from '../../../src/base/log.ts';

const SECRET = 'canary-password';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

it('describeCrash names the error and its place', () => {
  const words = describeCrash(new TypeError("Cannot read properties of undefined (reading 'devices')"));
  expect(words).toMatch(
    /^hoster-exporter: unexpected TypeError: Cannot read properties of undefined \(reading 'devices'\)\n {4}at .*crash\.test\.ts/,
  );
  expect(words).toMatch(/\nThis is a bug; please report it\.\n$/);
  expect(words.split('\n').length).toBeLessThanOrEqual(15);
});

it.each([
  ['the text that is no JSON', parsed(`${SECRET} is no JSON`)],
  [
    'the value of a promise',
    Object.assign(new Error(`reason "${SECRET}"`), { code: 'ERR_UNHANDLED_REJECTION' }),
  ],
  ['a bad argument', Object.assign(new TypeError(`Received '${SECRET}'`), { code: 'ERR_INVALID_ARG_VALUE' })],
  ['a thrown text', SECRET],
  ['a thrown object', { password: SECRET }],
  ['the properties of an error', Object.assign(new Error('bad'), { body: SECRET, cause: new Error(SECRET) })],
])('describeCrash does not quote %s', (_, reason) => {
  expect(describeCrash(reason)).not.toContain(SECRET);
});

it('describeCrash replaces control characters of a message', () => {
  const words = describeCrash(new Error('one\ntwo \u001b[31m'));
  expect(words).toContain('unexpected Error: one\uFFFDtwo \uFFFD[31m\n');
});

it('describeCrash names only the type of a thrown value that is not an error', () => {
  expect(describeCrash(undefined)).toBe(
    'hoster-exporter: unexpected undefined thrown in place of an error\nThis is a bug; please report it.\n',
  );
});
