import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AdjustableLog,
  createLog,
  type Fields,
  type LogFormat,
  type LogLevel,
  limitLog,
} from '../../../src/base/log.ts';
import { Secret } from '../../../src/base/secret.ts';
import { anyCharacter } from '../../any-character.ts';
import { createFakeClock } from '../../fake-clock.ts';

const TIME = '2026-01-02T03:04:05.678Z';

/** What is written by `act`. */
function written(format: LogFormat, act: (log: AdjustableLog) => void, level: LogLevel = 'info'): string {
  let text = '';
  const destination = {
    write: (line: string) => {
      text += line;
    },
  };
  act(createLog({ level, format, destination, now: () => Date.parse(TIME) }));
  return text;
}

function json(fields: Fields, level?: LogLevel): unknown {
  return JSON.parse(written('json', (log) => log.error(fields, 'm'), level));
}

describe('a log line', () => {
  it('is JSON in the format json', () => {
    expect(written('json', (log) => log.info({ account: 'main', phones: 5 }, 'polled'))).toBe(
      `{"level":"info","time":"${TIME}","account":"main","phones":5,"msg":"polled"}\n`,
    );
  });

  it('has quoted pairs in the format logfmt', () => {
    expect(written('logfmt', (log) => log.info({ account: 'main', phones: 5 }, 'first poll'))).toBe(
      `time=${TIME} level=info msg="first poll" account=main phones=5\n`,
    );
  });

  it('has no time of its own in a journal', () => {
    let text = '';
    const write = (line: string): void => {
      text += line;
    };
    createLog({ level: 'info', format: 'logfmt', destination: { write }, timestamps: false }).info({}, 'm');
    expect(text).toBe('level=info msg=m\n');
  });

  it.each([
    ['a word', { a: 'b' }, 'a=b'],
    ['an address', { a: 'http://127.0.0.1:9823/metrics' }, 'a=http://127.0.0.1:9823/metrics'],
    ['blanks', { a: 'b c' }, 'a="b c"'],
    ['nothing', { a: '' }, 'a=""'],
    ['quotes and equal signs', { a: '"b"=c\\' }, 'a="\\"b\\"=c\\\\"'],
    ['a number', { a: 1.5 }, 'a=1.5'],
    ['null', { a: null }, 'a=null'],
    ['what is undefined', { a: undefined, b: 1 }, 'b=1'],
    ['a function', { a: () => 1, b: { c: () => 1 }, d: 1 }, 'd=1'],
    ['a list', { a: [1, 'x'] }, 'a="[1,\\"x\\"]"'],
    ['fields within a field', { a: { b: 1, c: { d: 2 } } }, 'a.b=1 a.c.d=2'],
    ['an invalid field name', { 'a b=c': 1 }, 'a_b_c=1'],
    ['a forged line', { a: 'b\ntime=now level=error' }, 'a="b\\ntime=now level=error"'],
    ['a coloured terminal', { a: '\u001b[31mb\u009b0m' }, 'a="\\u001b[31mb\\u009b0m"'],
    ['reversed text', { a: '\u202eb\u200b' }, 'a="\\u202eb\\u200b"'],
    ['letters of all languages', { a: 'Grüße' }, 'a=Grüße'],
  ])('shows in logfmt %s', (_, fields, shown) => {
    expect(written('logfmt', (log) => log.info(fields, 'm'))).toBe(
      `time=${TIME} level=info msg=m ${shown}\n`,
    );
  });

  it('does not interpret format characters of the message', () => {
    expect(written('logfmt', (log) => log.info({}, '100 %s %d'))).toBe(
      `time=${TIME} level=info msg="100 %s %d"\n`,
    );
  });

  it('carries the fields of parent logs, overridden by its own', () => {
    const text = written('json', (log) =>
      log.child({ account: 'main', part: 'a' }).child({ part: 'b' }).warn({ part: 'c' }, 'm'),
    );
    expect(text).toBe(`{"level":"warn","time":"${TIME}","account":"main","part":"c","msg":"m"}\n`);
  });

  it('stays one printable line with any content', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 40 });
    const format = fc.constantFrom<LogFormat>('json', 'logfmt');
    fc.assert(
      fc.property(format, text, text, text, (chosen, name, value, message) => {
        const line = written(chosen, (log) => log.info({ at: { [name]: value } }, message));
        return /^[^\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+\n$/u.test(line);
      }),
    );
  });
});

describe('the log level', () => {
  const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

  it.each(LEVELS.map((level, index) => [level, LEVELS.slice(index)] as const))(
    '%s passes %j',
    (level, through) => {
      const text = written(
        'json',
        (log) => {
          for (const each of LEVELS) log[each]({}, each);
        },
        level,
      );
      const lines = text.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).level)).toEqual(through);
    },
  );
});

describe('secrets in log fields', () => {
  const KEYS = ['key', 'apiKey', 'api_key', 'API-KEY', 'x-api-key', 'X-API-KEY', 'clientSecret', 'token'];
  const LOGINS = ['password', 'oldPassword', 'username', 'user', 'credential', 'credentials', 'credentialId'];
  const HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

  it.each([...KEYS, ...LOGINS, ...HEADERS])('are redacted under the name %s at any depth', (name) => {
    expect(json({ [name]: 'x', a: [{ b: { [name]: { c: 'x' } } }] })).toMatchObject({
      [name]: '[redacted]',
      a: [{ b: { [name]: '[redacted]' } }],
    });
  });

  it.each(['keyFile', 'monkey', 'users', 'tokens'])('are not redacted under the name %s', (name) => {
    expect(json({ [name]: 'x' })).toMatchObject({ [name]: 'x' });
  });

  it('are redacted if they are Secret objects', () => {
    expect(json({ a: new Secret('x'), b: [new Secret('x')] })).toMatchObject({
      a: '[redacted]',
      b: ['[redacted]'],
    });
  });

  it('are redacted in fields of a child log', () => {
    expect(written('logfmt', (log) => log.child({ password: 'x' }).info({}, 'm'))).toBe(
      `time=${TIME} level=info msg=m password=[redacted]\n`,
    );
  });
});

describe('an error in a log field', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', body: 'b' });
  const error = Object.assign(new TypeError('no answer', { cause }), { request: { headers: 'x' }, code: 7 });

  it('shows its name, message, code and causes, and nothing else', () => {
    expect(json({ error })).toEqual({
      level: 'error',
      time: TIME,
      error: {
        name: 'TypeError',
        message: 'no answer',
        code: 7,
        cause: { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
      },
      msg: 'm',
    });
  });

  it('becomes dotted fields in logfmt', () => {
    expect(written('logfmt', (log) => log.error({ error: cause }, 'poll failed'))).toBe(
      `time=${TIME} level=error msg="poll failed" error.name=Error error.message="connect ECONNREFUSED" error.code=ECONNREFUSED\n`,
    );
  });

  it.each(['debug', 'trace'] as const)('shows its stack at the level %s', (level) => {
    expect(json({ error: cause }, level)).toMatchObject({
      error: { stack: expect.stringContaining('log.test.ts') },
    });
  });

  it('does not show a cause that is not an error', () => {
    expect(json({ error: new Error('e', { cause: 'a body' }) })).toMatchObject({
      error: { name: 'Error', message: 'e' },
    });
    expect(JSON.stringify(json({ error: new Error('e', { cause: 'a body' }) }))).not.toContain('a body');
  });
});

describe('a log field', () => {
  it('is cut if it is circular', () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = circle;
    expect(JSON.stringify(json({ circle }))).toContain('[deeper]');
  });

  it('is cut if it is a long text, list or map', () => {
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const fields = { text: 'x'.repeat(5_000), list, map: Object.fromEntries(list.entries()) };
    expect(json(fields)).toMatchObject({
      text: `${'x'.repeat(1_000)}…`,
      list: list.slice(0, 50),
      map: Object.fromEntries(list.slice(0, 50).entries()),
    });
  });

  it('shows dates, addresses and large numbers as text', () => {
    expect(json({ at: new Date(0), url: new URL('https://a.example'), big: 10n ** 20n })).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      url: 'https://a.example/',
      big: '100000000000000000000',
    });
  });
});

it('a change of the log level applies to child logs at once', () => {
  const text = written('logfmt', (log) => {
    const child = log.child({ account: 'main' });
    child.debug({}, 'one');
    log.setLevel('debug');
    child.debug({ error: new Error('bad') }, 'two');
    log.setLevel('error');
    child.warn({}, 'three');
  });
  expect(text).toMatch(
    /^time=\S+ level=debug msg=two account=main error\.name=Error .*error\.stack=[^\n]*\n$/,
  );
});

it('a limited log writes so many lines in any minute, and then says how many it left out', () => {
  const clock = createFakeClock();
  const text = written('logfmt', (log) => {
    const limited = limitLog(log.child({ account: 'main' }), clock, 2);
    for (let second = 0; second < 61; second += 1) {
      limited.warn({ second }, 'm');
      clock.advance(1_000);
    }
  });
  expect(text.trim().split('\n')).toEqual([
    `time=${TIME} level=warn msg=m account=main second=0`,
    `time=${TIME} level=warn msg=m account=main second=1`,
    `time=${TIME} level=warn msg=m account=main second=60 left_out=58`,
  ]);
});
