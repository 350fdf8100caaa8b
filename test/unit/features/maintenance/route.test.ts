import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { createMaintenanceResponse } from '../../../../src/features/maintenance/route.ts';
import { refusalOf } from '../../../../src/http/permission.ts';
import { jsonReply } from '../../../../src/http/reply.ts';
import { requestOf } from '../../../route-sources.ts';

/** Asks for maintenance of all phones in Berlin; returns the answer. */
async function answerTo(
  asked: object,
  now: string,
  users?: readonly string[],
  login: string | undefined = 'anna',
): Promise<unknown> {
  const answer = createMaintenanceResponse({
    refusal: (sender) => refusalOf(sender, { enable_changes: true, change_users: users }),
    now: () => Date.parse(now),
    timeZone: () => createTimeZone('Europe/Berlin'),
    start: async ({ until: end, by, scope: { groups } }) => {
      const covers = `${groups.join() || 'all phones'}, by ${by}`;
      return jsonReply(201, JSON.stringify({ covers, until: new Date(end).toISOString() }));
    },
    end: async () => jsonReply(200, '{}'),
  });
  const { status, content } = await answer(
    requestOf({
      method: 'POST',
      sender: { login: login || undefined, isLocal: login === '' },
      contentType: 'application/json',
      body: async () => JSON.stringify({ all: true, ...asked }),
    }),
  );
  const text = Buffer.concat(content).toString();
  return status === 201 ? JSON.parse(text) : text;
}

/** Returns the end of an answer, or the text that refuses it. */
async function endOf(until: string, now: string): Promise<unknown> {
  const answer = await answerTo({ until }, now);
  return typeof answer === 'object' && answer !== null && 'until' in answer ? answer.until : answer;
}

it.each([
  [['anna'], 'object'],
  [['bob', 'anna'], 'object'],
  [['bob'], 'not allowed: this user is not in web.change_users\n'],
])('of a login is taken where %s may say it', async (users, expected) => {
  const answer = await answerTo({ for: '2h' }, '2026-06-01T12:00:00Z', users);
  expect(typeof answer === 'string' ? answer : typeof answer).toBe(expected);
});

it('is accepted from this machine without a login, whoever web.change_users names', async () => {
  expect(await answerTo({ for: '2h' }, '2026-06-01T12:00:00Z', ['anna'], '')).toBeTypeOf('object');
});

it('takes each name of the API, in each of its Unicode forms', async () => {
  const long = 'u\u0308'.repeat(128);
  for (const name of ['Kyiv, rack 1', long, '\u{1F4F1}'.repeat(128)])
    expect(
      await answerTo({ all: undefined, groups: [name], for: '2h' }, '2026-06-01T12:00:00Z'),
    ).toMatchObject({
      covers: `${name.normalize('NFC')}, by anna`,
    });
});

it.each([
  ['', 'olha', 'olha'],
  ['', '', 'loopback'],
  ['bob', 'anna', 'anna (bob)'],
  ['loopback', 'anna', 'anna (loopback)'],
])('of the login "%s" and the person "%s" is by %s', async (login, by, shown) => {
  expect(await answerTo({ for: '2h', by }, '2026-06-01T12:00:00Z', undefined, login)).toMatchObject({
    covers: `all phones, by ${shown}`,
  });
});

describe('the end of a maintenance', () => {
  it.each([
    ['2026-06-01T02:30', '2026-05-31T12:00:00Z', '2026-06-01T00:30:00.000Z'],
    ['2026-03-29T02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30+01:00', '2026-10-24T12:00:00Z', '2026-10-25T01:30:00.000Z'],
  ])('%s is in the time of the owner, at both ends of summer time too', async (until, now, instant) => {
    expect(await endOf(until, now)).toBe(instant);
  });

  it.each([
    'tomorrow',
    '2026-13-01T08:00',
    '2026-11-31T08:00',
    '2026-11-31T08:00+02:00',
    '2026-06-02T25:00',
    '2026-06-02T24:00',
    '2026-06-02T08:60',
    '2026-06-02T08:00:60',
    '2026-06-02T08:00:99',
    '2026-06-02T08:00:60.5Z',
    '2026-06-02T08:00+99:99',
    '9999-99-99T99:99',
    '',
  ])('%s is refused as no instant, with what was got', async (until) => {
    expect(await endOf(until, '2026-06-01T12:00:00Z')).toBe(
      `got ${JSON.stringify(until)}, expected a duration such as 2h in for, or a time such as 2026-12-01T08:00 in until\n`,
    );
  });

  it('is what was typed, to the minute', async () => {
    expect(await answerTo({ until: '2026-10-25T03:30' }, '2026-10-24T12:00:00Z')).toMatchObject({
      until: '2026-10-25T02:30:00.000Z',
    });
  });
});
