import type { Memory } from '../src/daemon/memory.ts';
import type { Device } from '../src/model/device.ts';
import { afterSuccessfulPoll } from '../src/poll/freshness.ts';
import type { FakeClock } from './fake-clock.ts';

/** A memory observes that an account lists devices, half a minute after its last list. */
export async function observeList(
  memory: Memory,
  clock: FakeClock,
  apiTime: number,
  devices: readonly Device[],
  name = 'main',
): Promise<void> {
  await memory.judge.observe({
    name,
    poll: {
      ...{ name, collector: 'devices' },
      polled: afterSuccessfulPoll(clock.now(), clock.uptime()),
    },
    observation: {
      kind: 'list',
      times: { elapsed: 30_000, dueIn: 30_000, slack: 30_000 },
      devices: new Map(devices.map((device) => [device.id, { device, listedAt: apiTime }])),
      ...{ reported: devices.length, apiTime },
      listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
    },
  });
}
