import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import { cardsOf, cardText, cellText, groupPhones } from '../../src/features/page/browser/cards.ts';
import { urgentVisits, verdictOf } from '../../src/features/page/browser/verdict.ts';
import { ageBasisOf, freshnessOf, timeTextAt } from '../../src/fleet/freshness.ts';
import { indexPhones } from '../../src/fleet/phones.ts';
import { setCatalog } from '../../src/text/catalogs.ts';
import { LANGUAGES, speaking } from '../../src/text/say.ts';
import { createSurfaceWorld, type SurfaceWorld } from '../surface-world.ts';
import { pseudoCatalog, unmarkedWords } from '../unit/text/pseudo.ts';

/*
 * A night of the chat, the commands and the sentences of the page in each language, and in one that nobody speaks, in which a
 * text that was left behind in the source is seen.
 */

const ZONE = 'Europe/Kyiv';

const MESSAGES = [
  ...['/help', '/status', '/offline', '/offline rack-01', '/phone main-14', '/phone nobody', '/rack 01'],
  ...['/balance', '/log', '/ack', '/notes', '/maintenance', '/maintenance main-14 2h', '/back', '/month'],
  ...['/language', '/note main-14 cable'],
];

async function night(): Promise<SurfaceWorld> {
  const world = createSurfaceWorld([['main', 'EUR']], ZONE);
  await world.pass(40);
  world.turn('main-14', true);
  await world.pass(20);
  world.turn('main-14', false);
  await world.pass(10);
  world.turn('main-14', true);
  world.turn('main-2', true);
  await world.pass(20);
  return world;
}

/** Writes what the page says of a fleet. */
async function pageTexts(world: SurfaceWorld): Promise<readonly string[]> {
  const fleet = await world.fleet();
  const now = world.now();
  const time = timeTextAt(now, createTimeZone(ZONE));
  const { entries } = indexPhones(fleet.phones);
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const freshness = freshnessOf(fleet, connection, now, time);
  const bases = new Map(
    fleet.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, undefined)]),
  );
  const visits = urgentVisits(fleet, entries);
  const { title, note, past } = verdictOf({ fleet, visits, freshness, bases, now, time });
  const cards = cardsOf(groupPhones(entries), () => true, [], true);
  return [
    ...[title, note, past, freshness.word],
    ...freshness.notices.flatMap((notice) => [notice.title, notice.text]),
    ...cards.map(cardText),
    ...cards.flatMap(({ cells }) => cells.map(cellText)),
  ];
}

async function textsOf(world: SurfaceWorld): Promise<string> {
  const answers: string[] = [...(await pageTexts(world))];
  for (const message of MESSAGES) answers.push(await world.chat(message));
  for (const command of ['incidents', 'month'])
    answers.push(await world.command(command), await world.command(command, '--by=group'));
  return answers.join('\n');
}

/** Words that are no texts of ours: names, codes, units of the language that stands in, and what the exporter sent. */
const NAMES = new Set([
  ...['main', 'rack', 'slot', 'Samsung', 'Galaxy', 'Anna', 'nobody', 'cable'],
  ...['EUR', 'EET', 'thg'],
]);

/** Commands of the chat, and the IDs of incidents. */
const CODES = /^\/[a-z]+|\b[a-z_]+-(?:main-\d+|[0-9a-f]{8})-\w+/gm;

describe('the texts of a night', () => {
  let world: SurfaceWorld;
  beforeAll(async () => {
    world = await night();
  });

  it('are English by default', async () => {
    expect(await textsOf(world)).toContain('Needs attention: ');
  });

  describe('in a language that nobody speaks', () => {
    const catalog = new URL('../../src/text/catalogs/vi.ftl', import.meta.url);
    beforeAll(() => void setCatalog('vi', pseudoCatalog()));
    afterAll(() => void setCatalog('vi', readFileSync(catalog, 'utf8')));

    it('have no words that were left behind', async () => {
      const output = await speaking('vi', async () => await textsOf(world));
      const lines = output.split('\n');
      const left = unmarkedWords(output.replaceAll(CODES, '')).filter((word) => !NAMES.has(word));
      const shown = left.map((word) => `${word}: ${lines.find((line) => line.includes(word))}`);
      expect(shown).toEqual([]);
    });
  });

  it.each(Object.keys(LANGUAGES).filter((each) => each !== 'en'))('are written in %s', async (language) => {
    const output = await speaking(language, async () => await textsOf(world));
    expect(output).not.toContain('Needs attention');
    // A message that cannot be written is English, and one that does not exist is its id.
    expect(output).not.toMatch(/\b(?:chat|incidents|maintenance|month|page|problem|end)-[a-z]+-/);
  });
});
