import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/messages.ts';
import { openWebFile } from '../../../src/http/web-file.ts';
import { NOON } from '../../builders.ts';
import { silentLog } from '../../silent-log.ts';

const PATH = '/etc/web.yml';
const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

/** A file system of one file, whose clock stands unless it is told to move. */
async function createStage(content: string) {
  const lines: string[] = [];
  let held: string | undefined = content;
  let changedAt = NOON - 60_000;
  let now = NOON;
  let reads = 0;
  const files = {
    mark: async () => ({
      text: held === undefined ? 'ENOENT' : String(changedAt),
      changedAt: held === undefined ? undefined : changedAt,
    }),
    read: async () => {
      reads += 1;
      if (held === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return held;
    },
  };
  const log = {
    ...silentLog,
    info: (_: object, message: string) => lines.push(message),
    error: (fields: object, message: string) => lines.push(`${message}: ${JSON.stringify(fields)}`),
  };
  const file = await openWebFile(PATH, files, () => now, log);
  return {
    ...file,
    lines,
    reads: () => reads,
    write: (next: string | undefined, at = now) => {
      held = next;
      changedAt = at;
    },
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    namesOf: async () => {
      const setup = await file.look();
      return setup === undefined ? undefined : [...setup.config.users.keys()];
    },
  };
}

describe('a web configuration file', () => {
  it('that can not be used can not be opened', async () => {
    await expect(createStage('junk')).rejects.toBeInstanceOf(ConfigError);
  });

  it('is read once as long as it stays the same', async () => {
    const { look, initial, reads } = await createStage(users('alice'));
    const found = await Promise.all([look(), look(), look()]);
    expect(found.every((setup) => setup === initial)).toBe(true);
    expect([await look(), reads()]).toEqual([initial, 1]);
  });

  it('is the same object where it was written anew without a change', async () => {
    const { look, initial, reads, write, lines } = await createStage(users('alice'));
    write(users('alice'));
    expect([(await look()) === initial, reads(), lines]).toEqual([true, 2, []]);
  });

  it('is read again while a second change would leave no mark', async () => {
    const { namesOf, write, wait, reads } = await createStage(users('alice'));
    write(users('bob'));
    expect(await namesOf()).toEqual(['bob']);
    // The same moment, and so the same mark.
    write(users('eve'));
    expect(await namesOf()).toEqual(['eve']);
    wait(2_001);
    await namesOf();
    const before = reads();
    await namesOf();
    expect(reads()).toBe(before);
  });

  it('that goes bad is so until it is good again, and each is told once', async () => {
    const { namesOf, write, wait, lines } = await createStage(users('alice'));
    write('{');
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    wait(60_000);
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    write(users('alice'));
    expect([await namesOf(), await namesOf()]).toEqual([['alice'], ['alice']]);
    expect(lines).toEqual([
      'the web configuration can not be used: nobody is let in until it is mended: {"problems":["/etc/web.yml:1:2: a bracket, quote, colon or comma is missing"]}',
      'the web configuration is good again',
    ]);
  });

  it('that is removed is bad, and looked for again', async () => {
    const { namesOf, write, wait } = await createStage(users('alice'));
    write(undefined);
    wait(60_000);
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    write(users('alice', 'bob'));
    expect(await namesOf()).toEqual(['alice', 'bob']);
  });

  it('that lost its users is bad, also after it was bad in another way', async () => {
    const { namesOf, write } = await createStage(users('alice'));
    write('');
    expect(await namesOf()).toBeUndefined();
    write('junk', NOON + 1);
    expect(await namesOf()).toBeUndefined();
    write('# nothing', NOON + 2);
    expect(await namesOf()).toBeUndefined();
    write(users('bob'), NOON + 3);
    expect(await namesOf()).toEqual(['bob']);
  });
});
