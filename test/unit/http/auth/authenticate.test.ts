import { describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../../../src/http/auth/authenticate.ts';
import { hashOf, isTooLong, matches } from '../../../../src/http/auth/bcrypt.ts';

const SECRET = Buffer.from('of this process');
const FAKE = '$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';
const hash = (cost: string, letter = 'x'): string => `$2y$${cost}$${letter.repeat(53)}`;
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** An authentication by which "right" is everybody's password; tells which hashes were looked at. */
function createStage() {
  const looked: string[] = [];
  const authenticate = createAuthenticate(async (password, hash) => {
    looked.push(hash);
    return password === 'right';
  }, SECRET);
  const users = new Map([
    ['alice', hash('10', 'a')],
    ['constructor', hash('10', 'c')],
  ]);
  const login = (user: string, password: string, known = users) =>
    authenticate({ authorization: basic(user, password), client: '127.0.0.1' }, known);
  return { authenticate, login, looked, users };
}

describe('a login', () => {
  it.each([
    ['alice', 'right', 'granted'],
    ['constructor', 'right', 'granted'],
    ['alice', 'wrong', 'refused'],
    ['Alice', 'right', 'refused'],
    ['toString', 'right', 'refused'],
    ['__proto__', 'right', 'refused'],
    ['', 'right', 'refused'],
  ])('of %j with the password %j is %s, now and once more', async (user, password, verdict) => {
    const { login, looked } = createStage();
    expect([await login(user, password), await login(user, password), looked.length]).toEqual([
      verdict,
      verdict,
      1,
    ]);
  });

  it('without a password costs nothing', async () => {
    const { authenticate, users, looked } = createStage();
    expect(await authenticate({ authorization: undefined, client: '' }, users)).toBe('refused');
    expect(looked).toEqual([]);
  });

  it('of somebody unknown is checked against the hash of nobody, which opens nothing', async () => {
    const { login, looked } = createStage();
    expect(await login('mallory', 'right')).toBe('refused');
    expect(looked).toEqual([FAKE]);
    expect(matches('fakepassword', FAKE)).toBe(true);
  });

  it('of somebody unknown costs as much as that of one of the users, and always the same', async () => {
    const { login, looked } = createStage();
    const users = new Map([
      ['a', hash('08')],
      ['b', hash('12')],
    ]);
    for (let index = 0; index < 40; index++) await login(`nobody ${index}`, 'right', users);
    const first = looked.map((each) => each.slice(4, 6));
    expect(new Set(first)).toEqual(new Set(['08', '12']));
    for (let index = 0; index < 40; index++) await login(`nobody ${index}`, 'wrong', users);
    expect(looked.slice(40).map((each) => each.slice(4, 6))).toEqual(first);
  });

  it('that was granted is not, once the user is gone or has another hash', async () => {
    const { login, looked } = createStage();
    expect(await login('alice', 'right')).toBe('granted');
    expect(await login('alice', 'right', new Map([['bob', hash('10')]]))).toBe('refused');
    expect(looked).toHaveLength(2);
    await login('alice', 'right', new Map([['alice', hash('10', 'z')]]));
    expect(looked.at(-1)).toBe(hash('10', 'z'));
  });

  it('is told to come again where too many wait, unless its password is known', async () => {
    let isOpen = true;
    const authenticate = createAuthenticate(
      () => (isOpen ? Promise.resolve(true) : new Promise(() => {})),
      SECRET,
    );
    const users = new Map([['alice', hash('10')]]);
    const login = (password: string) =>
      authenticate({ authorization: basic('alice', password), client: '127.0.0.1' }, users);
    expect(await login('known')).toBe('granted');
    isOpen = false;
    for (let index = 0; index < 9; index++) void login(`waiting ${index}`);
    expect([await login('one too many'), await login('known')]).toEqual(['busy', 'granted']);
  });
});

describe('bcrypt', () => {
  it.each(['$2a$', '$2b$', '$2y$'])('knows its own hashes as %s', (form) => {
    const own = hashOf('pass:wörd', 4);
    expect(own).toMatch(/^\$2y\$04\$/);
    expect(matches('pass:wörd', own.replace('$2y$', form))).toBe(true);
    expect(matches('pass:word', own.replace('$2y$', form))).toBe(false);
  });

  it('knows the hashes of htpasswd and of Go', () => {
    expect(matches('dave123', '$2y$10$2UXri9cIDdgeKjBo4Rlpx.U3ZLDV8X1IxKmsfOvhcM5oXQt/mLmXq')).toBe(true);
  });

  it('counts bytes, not letters', () => {
    expect([isTooLong('ä'.repeat(36)), isTooLong('ä'.repeat(37))]).toEqual([false, true]);
  });
});
