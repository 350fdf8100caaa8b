import { between, createRandom, deriveSeed, pick, type Random } from '../src/base/random.ts';
import { shownValue } from '../src/model/cause.ts';
import { NOON, shownCauses } from './builders.ts';
import { STORIES, STORY_NAMES, type Story, type StoryName } from './stories.ts';
import {
  createFleet,
  darken,
  type FleetOptions,
  FOREVER,
  failByThemselves,
  limitOf,
  STYLE_NAMES,
  type StoryPhone,
  type StyleName,
  tagsOfStory,
} from './story-fleets.ts';
import { createScorer, type Score } from './story-score.ts';
import { DAY, type Farm, HOUR, MINUTE, SECOND, type WatchOptions, watchFarm } from './watch.ts';

/*
 * Stories, and days in which nothing happens that phones share, played on a farm that a daemon watches. Each comes from a seed
 * alone.
 */

const POLL = 30 * SECOND;

/** How long a story continues after its last phone is offline, and after all are back. */
const AFTER_OFFLINE = 4 * MINUTE;
const AFTER_RETURN = 2 * MINUTE;

/** Watches the phones of a story. Tunnels and the balance stay as they are, and are polled now and then. */
export function watchStory(phones: readonly StoryPhone[], options: WatchOptions): Promise<Farm> {
  return watchFarm(new Map(phones.map((phone) => [phone.device.id, phone])), {
    ...{ tunnelsEach: 10 * MINUTE, balanceEach: HOUR },
    ...options,
  });
}

/** Plays a story, and returns what the names were worth that the daemon showed. */
export async function playStory(
  name: StoryName,
  size: number,
  seed: number,
  style: StyleName,
  usual: FleetOptions = {},
): Promise<Score> {
  const { options: own = {}, create } = STORIES[name];
  const options = { ...usual, ...own };
  const random = createRandom(deriveSeed(seed, size, STORY_NAMES.indexOf(name), STYLE_NAMES.indexOf(style)));
  const phones = createFleet(size, style, options, random);
  failByThemselves(phones, options, 3 * HOUR, random);
  const story = create({ random, phones });
  const { stopped, lasts = 0, backWithin = 2 * MINUTE } = story;
  const struck = new Set(story.truths.flatMap((truth) => [...truth.phones]));
  const offlineAt = Math.max(0, ...Array.from(struck, (phone) => failureOf(phone) + limitOf(phone)));
  const endsAt = Math.max(offlineAt + AFTER_OFFLINE, lasts, (stopped?.until ?? 0) + 15 * MINUTE);
  for (const { outages } of struck)
    for (const [index, { from, until }] of outages.entries())
      if (until === FOREVER && from >= NOON)
        outages[index] = { from, until: NOON + Math.round(endsAt + random() * backWithin) };
  const scorer = createScorer(phones, story, endsAt);
  await play(phones, story, endsAt + backWithin + AFTER_RETURN, random, scorer.take, scorer.readValues);
  return scorer.score();
}

/** Returns the last time at which a phone fails in a story. */
function failureOf({ outages }: StoryPhone): number {
  return (outages.findLast(({ from, until }) => from >= NOON && until > from)?.from ?? NOON) - NOON;
}

/** Lets the time of a story pass. */
async function play(
  phones: readonly StoryPhone[],
  { apiDown, stopped, updates = [], isSlow = false }: Story,
  endsAt: number,
  random: Random,
  onPoll: (time: number, snapshot: ReturnType<Farm['snapshot']>) => void,
  onUpdate: () => void,
): Promise<void> {
  const interval = isSlow ? MINUTE : pick(random, [POLL, MINUTE]);
  const startsAt = stopped?.from === -FOREVER ? stopped.until : Math.min(0, (apiDown?.from ?? 0) - MINUTE);
  const farm = await watchStory(phones, {
    ...{ beginsAt: NOON + startsAt, interval },
    // Accounts have one schedule, and mostly answer at once.
    together: random() < 0.75,
    ...(startsAt > 0 && { before: 0 }),
    settings: { propertiesOf: tagsOfStory(phones) },
  });
  const time = (): number => farm.now() - NOON;
  let waiting = updates;
  while (time() < endsAt) {
    const next = time() + interval;
    const due = waiting.filter(({ at }) => at <= next);
    for (const { phone, version } of due) phone.device = { ...phone.device, appVersion: version };
    waiting = waiting.filter((update) => !due.includes(update));
    if (due.length > 0) onUpdate();
    const isDown = apiDown !== undefined && apiDown.from <= next && next < apiDown.until;
    for (const collector of ['devices', 'tunnels'] as const)
      farm.fail(collector, isDown ? 'timeout' : undefined);
    if (stopped?.from === time()) await farm.restart(stopped.until - next);
    else await farm.pass(interval);
    onPoll(time(), farm.snapshot());
  }
}

/** Days in which phones fail by themselves: the time between two polls, and whether each phone restarts each day. */
const QUIET = {
  alone: { interval: 5 * MINUTE, restarts: false },
  restarting: { interval: 2 * MINUTE, restarts: true },
} as const;

/** Plays days without a common cause, and returns the names that were shown. */
export async function playQuietDays(
  kind: keyof typeof QUIET,
  size: number,
  days: number,
  seed: number,
): Promise<readonly string[]> {
  const { interval, restarts } = QUIET[kind];
  const random = createRandom(deriveSeed(seed, size, days, 11));
  const options = { failures: pick(random, [0.01, 0.05, 0.2]), flapping: pick(random, [0, 0.01, 0.03]) };
  const phones = createFleet(size, pick(random, ['mixed', 'batches', 'unseen', 'halls']), options, random);
  failByThemselves(phones, options, days * DAY, random);
  if (restarts)
    for (const phone of phones)
      for (let from = random() * DAY; from < days * DAY; from += DAY * (0.5 + random()))
        darken(phone, from, from + between(random, 1, 6) * MINUTE);
  const farm = await watchStory(phones, { interval, together: true });
  const names = new Map<string, string>();
  while (farm.now() < NOON + days * DAY) {
    await farm.pass(interval);
    for (const { id, cause } of shownCauses(farm.snapshot().causes))
      names.set(id, `${cause.kind} ${shownValue(cause)}`);
  }
  return [...names.values()];
}
