import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { createMaintenanceResponse } from '../../../../src/features/maintenance/route.ts';
import { refusalOf } from '../../../../src/http/permission.ts';
import { jsonReply } from '../../../../src/http/reply.ts';
import { requestOf } from '../../../route-sources.ts';

const MONDAY = '2026-06-01T12:00:00Z';

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
  const answer = await answerTo({ for: '2h' }, MONDAY, users);
  expect(typeof answer === 'string' ? answer : typeof answer).toBe(expected);
});

it('is accepted from this machine without a login, whoever web.change_users names', async () => {
  expect(await answerTo({ for: '2h' }, MONDAY, ['anna'], '')).toBeTypeOf('object');
});

it.each([
  ['', 'olha', 'olha'],
  ['', '', 'loopback'],
  ['bob', 'anna', 'anna (bob)'],
  ['loopback', 'anna', 'anna (loopback)'],
])('of the login "%s" and the person "%s" is by %s', async (login, by, shown) => {
  expect(await answerTo({ for: '2h', by }, MONDAY, undefined, login)).toMatchObject({
    covers: `all phones, by ${shown}`,
  });
});

describe('the end of a maintenance', () => {
  it.each([
    ['2026-06-01T02:30', '2026-05-31T12:00:00Z', '2026-06-01T00:30:00.000Z'],
    ['2026-03-29T02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:30', '2026-10-24T12:00:00Z', '2026-10-25T02:30:00.000Z'],
    ['2026-10-25T02:30+01:00', '2026-10-24T12:00:00Z', '2026-10-25T01:30:00.000Z'],
  ])('%s is in the time of the owner, at both ends of summer time too', async (until, now, instant) => {
    expect(await endOf(until, now)).toBe(instant);
  });

  const DATES = ['tomorrow', '2026-13-01T08:00', '2026-11-31T08:00', '2026-11-31T08:00+02:00', ''];
  const TIMES = ['25:00', '24:00', '08:60', '08:00:60', '08:00:60.5Z', '08:00+99:99'];

  it.each([...DATES, ...TIMES.map((time) => `2026-06-02T${time}`)])(
    '%s is refused as no instant',
    async (until) => {
      expect(await endOf(until, MONDAY)).toBe(
        `got ${JSON.stringify(until)}, expected a duration such as 2h in for, or a time such as 2026-12-01T08:00 in until\n`,
      );
    },
  );
});
