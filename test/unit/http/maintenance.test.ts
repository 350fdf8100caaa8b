import { describe, expect, it } from 'vitest';
import { createMaintenanceResponse } from '../../../src/http/maintenance.ts';
import { createTimeZone } from '../../../src/time-zone.ts';
import { requestOf } from '../../route-sources.ts';

/** Asks for maintenance of all phones in Berlin; returns the end, or the answer that refuses it. */
async function endOf(until: string, now: string): Promise<string> {
  const answer = createMaintenanceResponse({
    isEnabled: true,
    now: () => Date.parse(now),
    timeZone: () => createTimeZone('Europe/Berlin'),
    start: async () => ({ id: 'a1', phones: 4, silent: 0 }),
    end: async () => true,
  });
  const { status, content } = await answer(
    requestOf({
      method: 'POST',
      sender: { login: 'anna', isLocal: false },
      contentType: 'application/json',
      body: async () => JSON.stringify({ all: true, until }),
    }),
  );
  const text = Buffer.concat(content).toString();
  return status === 201 ? JSON.parse(text).until : text;
}

describe('the end of a maintenance', () => {
  it.each([
    ['2026-06-01T02:30', '2026-05-31T12:00:00Z', '2026-06-01T00:30:00.000Z'],
    ['2026-03-29T02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30+01:00', '2026-10-24T12:00:00Z', '2026-10-25T01:30:00.000Z'],
  ])('%s is in the time of the owner, at both ends of summer time too', async (until, now, instant) => {
    expect(await endOf(until, now)).toBe(instant);
  });

  it('is refused where it is no time', async () => {
    expect(await endOf('tomorrow', '2026-06-01T12:00:00Z')).toMatch(/^expected a duration .* or a time/);
  });
});
