import { describe, expect, it } from 'vitest';
import { createAuthenticate, parseBasic } from '../../../../src/http/web-config/auth.ts';
import { bcryptMatches } from '../../../../src/http/web-config/bcrypt.ts';
import { createFakeClock } from '../../../fake-clock.ts';

const SECRET = Buffer.from('of this process');
const hash = (cost: string, letter = 'x'): string => `$2y$${cost}$${letter.repeat(53)}`;
const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const basic = (user: string, password: string): string => `Basic ${encode(`${user}:${password}`)}`;

const USERS = new Map([
  ['alice', hash('10', 'a')],
  ['constructor', hash('10', 'c')],
]);

/** Authenticates with "right" as everybody's password, and records the hashes that were checked. */
function setUp() {
  const checked: string[] = [];
  const matches = async (password: string, hash: string): Promise<boolean> => {
    checked.push(hash);
    return password === 'right';
  };
  const authenticate = createAuthenticate({ matches, secret: SECRET, clock: createFakeClock() });
  const login = (user: string, password: string, users = USERS) => authenticate(basic(user, password), users);
  return { authenticate, login, checked };
}

/** Authenticates with checks that end when the test says so, and records the passwords of checks that began. */
function setUpSlow() {
  const began: string[] = [];
  let finish = (_: boolean): void => {};
  const matches = (password: string): Promise<boolean> => {
    began.push(password);
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const authenticate = createAuthenticate({ matches, secret: SECRET, clock: createFakeClock() });
  return {
    began,
    end: async (isRight: boolean) => {
      finish(isRight);
      await new Promise((resolve) => setImmediate(resolve));
    },
    login: (password: string) => authenticate(basic('alice', password), USERS),
  };
}

describe('a login', () => {
  it.each([
    ['alice', 'right', 'granted', 1],
    ['constructor', 'right', 'granted', 1],
    ['alice', 'wrong', 'denied', 2],
    ['Alice', 'right', 'denied', 2],
    ['toString', 'right', 'denied', 2],
    ['__proto__', 'right', 'denied', 2],
    ['', 'right', 'denied', 2],
  ])(
    'of user %j with the password %j is %s both times, after %i checks',
    async (user, password, result, checks) => {
      const { login, checked } = setUp();
      const results = [await login(user, password), await login(user, password)];
      expect([...results, checked.length]).toEqual([result, result, checks]);
    },
  );

  it('without a password is denied without a check', async () => {
    const { authenticate, checked } = setUp();
    expect(await authenticate(undefined, USERS)).toBe('denied');
    expect(checked).toEqual([]);
  });

  it('of an unknown user always has the cost of the same known user', async () => {
    const { login, checked } = setUp();
    const users = new Map([
      ['a', hash('08')],
      ['b', hash('12')],
    ]);
    for (let index = 0; index < 40; index++) await login(`nobody ${index}`, 'right', users);
    const first = checked.map((each) => each.slice(4, 6));
    expect(new Set(first)).toEqual(new Set(['08', '12']));
    for (let index = 0; index < 40; index++) await login(`nobody ${index}`, 'wrong', users);
    expect(checked.slice(40).map((each) => each.slice(4, 6))).toEqual(first);
  });

  it('that was granted is denied after the user or the hash has changed', async () => {
    const { login, checked } = setUp();
    expect(await login('alice', 'right')).toBe('granted');
    expect(await login('alice', 'right', new Map([['bob', hash('10')]]))).toBe('denied');
    expect(checked).toHaveLength(2);
    await login('alice', 'right', new Map([['alice', hash('10', 'z')]]));
    expect(checked.at(-1)).toBe(hash('10', 'z'));
  });
});

describe('checks of passwords', () => {
  it('run one at a time', async () => {
    const { login, began, end } = setUpSlow();
    const logins = [login('one'), login('two')];
    expect(began).toEqual(['one']);
    await end(true);
    expect(began).toEqual(['one', 'two']);
    await end(false);
    expect(await Promise.all(logins)).toEqual(['granted', 'denied']);
  });

  it('are shared by logins with the same password', async () => {
    const { login, began, end } = setUpSlow();
    const logins = [login('one'), login('one'), login('one')];
    await end(true);
    expect([await Promise.all(logins), began]).toEqual([['granted', 'granted', 'granted'], ['one']]);
  });

  it('are limited to 32 that wait', async () => {
    const { login } = setUpSlow();
    let refused = 0;
    for (let index = 0; index < 100; index += 1)
      void login(`wrong ${index}`).then((result) => {
        if (result === 'busy') refused += 1;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused).toBe(100 - 33);
  });

  it('are not needed for a known password while others wait', async () => {
    const { login, end } = setUpSlow();
    const known = login('known');
    await end(true);
    expect(await known).toBe('granted');
    for (let index = 0; index < 33; index++) void login(`waiting ${index}`);
    expect([await login('one too many'), await login('known')]).toEqual(['busy', 'granted']);
  });

  it('that fail are repeated for the next login', async () => {
    let count = 0;
    const matches = async (): Promise<boolean> => {
      count += 1;
      if (count === 1) throw new Error('the thread has ended');
      return true;
    };
    const authenticate = createAuthenticate({ matches, secret: SECRET, clock: createFakeClock() });
    const login = () => authenticate(basic('alice', 'right'), USERS);
    await expect(login()).rejects.toThrow('the thread has ended');
    expect(await login()).toBe('granted');
  });
});

describe('the cache of right logins', () => {
  it('keeps them during an attack with wrong ones', async () => {
    const { login, checked } = setUp();
    await login('alice', 'right');
    for (let index = 0; index < 1_000; index++) await login('alice', `wrong ${index}`);
    const before = checked.length;
    expect([await login('alice', 'right'), checked.length]).toEqual(['granted', before]);
  });

  it('keeps one of each user', async () => {
    const { login, checked } = setUp();
    const users = new Map(Array.from({ length: 200 }, (_, index) => [`user ${index}`, hash('10')] as const));
    for (const user of users.keys()) await login(user, 'right', users);
    for (const user of users.keys()) expect(await login(user, 'right', users)).toBe('granted');
    expect(checked).toHaveLength(users.size);
  });
});

describe('parseBasic', () => {
  it.each([
    ['a name and a password', `Basic ${encode('alice:secret')}`, ['alice', 'secret']],
    ['a password with colons', `Basic ${encode('alice:a:b::c')}`, ['alice', 'a:b::c']],
    ['an empty name', `Basic ${encode(':secret')}`, ['', 'secret']],
    ['an empty password', `Basic ${encode('alice:')}`, ['alice', '']],
    ['the scheme in another case', `bASIC ${encode('a:b')}`, ['a', 'b']],
    ['letters beyond ASCII', `Basic ${encode('zoë:pässwörd')}`, ['zoë', 'pässwörd']],
    ['a name with a byte order mark', `Basic ${encode('\uFEFFa:b')}`, ['\uFEFFa', 'b']],
  ])('parses an Authorization header with %s', (_, header, expected) => {
    const found = parseBasic(header);
    expect([found?.user, found?.password]).toEqual(expected);
  });

  it.each([
    ['undefined', undefined],
    ['empty', ''],
    ['of another scheme', `Bearer ${encode('a:b')}`],
    ['without a colon', `Basic ${encode('alice')}`],
    ['without base64', 'Basic a:b'],
    ['with two logins', `Basic ${encode('a:b')}, Basic ${encode('a:c')}`],
  ])('rejects an Authorization header %s', (_, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});

describe('bcrypt', () => {
  it('verifies a hash of htpasswd', () => {
    expect(bcryptMatches('dave123', '$2y$10$2UXri9cIDdgeKjBo4Rlpx.U3ZLDV8X1IxKmsfOvhcM5oXQt/mLmXq')).toBe(
      true,
    );
  });
});
