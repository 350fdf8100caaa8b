import { describe, expect, it } from 'vitest';
import { parseBasic } from '../../../../src/http/auth/basic.ts';

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');

function read(header: string | undefined): readonly string[] | undefined {
  const found = parseBasic(header);
  return found === undefined ? undefined : [found.user, found.password.reveal()];
}

describe('an Authorization header', () => {
  it.each([
    ['name and password', `Basic ${encode('alice:secret')}`, ['alice', 'secret']],
    ['a password with colons', `Basic ${encode('alice:a:b::c')}`, ['alice', 'a:b::c']],
    ['no name', `Basic ${encode(':secret')}`, ['', 'secret']],
    ['no password', `Basic ${encode('alice:')}`, ['alice', '']],
    ['the scheme in another case', `bASIC ${encode('a:b')}`, ['a', 'b']],
    ['letters beyond ASCII', `Basic ${encode('zoë:pässwörd')}`, ['zoë', 'pässwörd']],
    ['a name with a byte order mark', `Basic ${encode('\uFEFFa:b')}`, ['\uFEFFa', 'b']],
  ])('with %s is read', (_, header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['another scheme', `Bearer ${encode('a:b')}`],
    ['no colon', `Basic ${encode('alice')}`],
    ['no base64', 'Basic a:b'],
    ['base64 without its padding', 'Basic YTpiYw'],
    ['base64 for URLs', `Basic ${encode('a:???').replaceAll('/', '_')}`],
    ['two blanks', `Basic  ${encode('a:b')}`],
    ['more after it', `Basic ${encode('a:b')}, Basic ${encode('a:c')}`],
    ['bytes that are no UTF-8', `Basic ${encode(Buffer.from([97, 58, 0xff]))}`],
  ])('with %s is nobody', (_, header) => {
    expect(read(header)).toBeUndefined();
  });
});
