import { afterEach, describe, expect, it } from 'vitest';
import { LIST_INCONSISTENCIES } from '../../src/model/enums.ts';
import { ACCOUNT, type Harness, startHarness } from '../faults/harness.ts';
import { readPage } from '../faults/page.ts';

const PHONES = 350;

let harness: Harness | undefined;

afterEach(() => harness?.close());

async function raise(): Promise<Harness> {
  harness = await startHarness({ phones: PHONES });
  return harness;
}

/** The device list on the page: its phones, its totals and its counters. */
async function publishedBy({ scrape }: Harness) {
  const { families, count } = readPage((await scrape()).text);
  const labels = `account="${ACCOUNT}"`;
  const found = LIST_INCONSISTENCIES.map(
    (kind) => [kind, count(`hoster_exporter_list_inconsistencies_total{${labels},kind="${kind}"}`)] as const,
  );
  return {
    phones: families.get('hoster_device_offline_after_seconds')?.size ?? 0,
    reported: count(`hoster_devices_reported{${labels}}`),
    success: count(`hoster_exporter_poll_success{${labels},collector="devices"}`),
    passes: count(`hoster_exporter_list_passes{${labels}}`),
    complete: count(`hoster_exporter_list_complete{${labels}}`),
    suspect: count(`hoster_exporter_list_suspect{${labels}}`),
    found: Object.fromEntries(found.filter(([, times]) => times > 0)),
  };
}

type Published = Partial<Awaited<ReturnType<typeof publishedBy>>>;

const SOUND = {
  ...{
    phones: PHONES,
    reported: PHONES,
    success: 1,

    passes: 1,
    complete: 1,
    suspect: 0,
  },
  found: {},
} satisfies Published;

/** Every fault in the device list itself: what differs from a sound list, and the requests that it takes to see it. */
const FAULTS: readonly (readonly [fault: string, published: Published, requests: number])[] = [
  ['duplicate-devices', { complete: 0, passes: 2, found: { duplicate: 2, incomplete: 2 } }, 8],
  ['omitted-devices', { complete: 0, passes: 2, found: { incomplete: 2 } }, 8],
  ['total-grows', { complete: 0, passes: 2, reported: 358, found: { total_changed: 6, incomplete: 12 } }, 8],
  [
    'total-shrinks',
    { complete: 0, passes: 2, reported: 345, found: { total_changed: 6, incomplete: 12 } },
    8,
  ],
  ['empty-middle-page', { complete: 0, passes: 2, found: { incomplete: 200 } }, 8],
  ['limit-ignored', { found: {} }, 18],
  ['same-page-for-ever', { success: 0, found: { page_repeated: 1 } }, 4],
  ['total-pages-huge', { found: {} }, 4],
];

describe('an inconsistent device list', () => {
  it.each(FAULTS)('with the fault %s loses no phone and is counted', async (fault, published, requests) => {
    const raised = await raise();
    const { poll, simulator } = raised;
    await poll();
    expect(await publishedBy(raised)).toEqual(SOUND);
    const before = simulator.counts().devices;
    simulator.faults.on('devices', fault);
    await poll();
    expect(await publishedBy(raised)).toEqual({ ...SOUND, ...published });
    expect(simulator.counts().devices - before).toBe(requests);
    simulator.faults.off();
    await poll();
    expect(await publishedBy(raised)).toEqual({ ...SOUND, found: published.found });
  });

  it('results in no phones if every page is the same', async () => {
    const raised = await raise();
    raised.simulator.faults.on('devices', 'same-page-for-ever');
    await raised.poll();
    expect(await publishedBy(raised)).toMatchObject({ phones: 0, success: 0, found: { page_repeated: 1 } });
  });

  it('replaces nothing when a page in the middle fails', async () => {
    const raised = await raise();
    await raised.poll();
    raised.simulator.faults.on('devices', 'internal-error', { skip: 2 });
    await raised.poll();
    expect(await publishedBy(raised)).toEqual({ ...SOUND, success: 0 });
  });
});

describe('a fleet', () => {
  const linesOf = ({ lines }: Harness) =>
    lines.map(({ text }) => text).filter((text) => /missing/.test(text)).length;

  it('that is missing from one listing is kept, and the loss is marked as suspect', async () => {
    const raised = await raise();
    await raised.poll();
    raised.simulator.faults.on('devices', 'fleet-vanishes');
    await raised.poll();
    expect(await publishedBy(raised)).toEqual({ ...SOUND, reported: 0, suspect: 1 });
    raised.simulator.faults.off();
    await raised.poll();
    expect(await publishedBy(raised)).toEqual(SOUND);
    expect(linesOf(raised)).toBe(2);
  });

  it('that is missing from three listings is removed', async () => {
    const raised = await raise();
    await raised.poll();
    raised.simulator.faults.on('devices', 'fleet-vanishes');
    await raised.poll();
    await raised.poll();
    expect(await publishedBy(raised)).toMatchObject({ phones: PHONES, suspect: 1 });
    await raised.poll();
    expect(await publishedBy(raised)).toMatchObject({ phones: 0, suspect: 0 });
    expect(linesOf(raised)).toBe(2);
  });

  it('loses a phone that is missing from two complete listings', async () => {
    const raised = await raise();
    await raised.poll();
    const [first] = raised.marketplace.phones();
    if (first === undefined) throw new Error('there are phones');
    raised.marketplace.archive([first.deviceId]);
    await raised.poll();
    expect(await publishedBy(raised)).toMatchObject({ phones: PHONES, reported: PHONES - 1, complete: 1 });
    await raised.poll();
    expect(await publishedBy(raised)).toMatchObject({ phones: PHONES - 1, suspect: 0 });
  });
});
