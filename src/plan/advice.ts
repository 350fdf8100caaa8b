import { short, whole } from './figures.ts';
import { SERIES_OF_A_SCRAPE } from './measured.ts';
import { MOST_PHONES, type Plan, type Question } from './plan.ts';

/** Above this share of the time, polls wait for each other's connections. */
const BUSY = 0.8;

/** What does not work as it is asked for, and what would: a sentence or two each. */
export function adviceOn(question: Question, plan: Plan): readonly string[] {
  const { phones, accounts, config } = question;
  const { durations, process, busy } = plan;
  const { concurrency } = config.client;
  const { devices, tunnels } = durations;
  const advice: string[] = [];
  const faster = `more requests at once (--client.concurrency, now ${concurrency})`;
  if (phones / accounts > MOST_PHONES) {
    advice.push(`A list of more than ${whole(MOST_PHONES)} phones is not read: divide them among accounts.`);
  }
  if (devices.ideal > devices.allowed) {
    advice.push(
      `A listing takes ${short(devices.ideal)} s at best and has ${short(devices.allowed)} s: it would always fail. Poll the devices more rarely (--poll.devices), or with ${faster}. More shards do not help, since each lists all phones.`,
    );
  }
  if (tunnels.ideal > tunnels.allowed) {
    advice.push(
      `The tunnels take ${short(tunnels.ideal)} s at best and have ${short(tunnels.allowed)} s: each is asked for in about one of ${Math.ceil(tunnels.ideal / tunnels.allowed)} rounds. Poll them more rarely (--poll.tunnels), with ${faster}, or with more shards (--total-shards, now ${config.shard.total}).`,
    );
  }
  if (busy > BUSY && devices.ideal <= devices.allowed && tunnels.ideal <= tunnels.allowed) {
    advice.push(
      `The connections are in use ${Math.round(busy * 100)} % of the time, so devices and tunnels hold each other up. Poll one of them more rarely, or with ${faster}.`,
    );
  }
  if (process.series > SERIES_OF_A_SCRAPE) {
    advice.push(
      `A page of ${whole(process.series)} series may take Prometheus longer than its default of 10 seconds: set scrape_timeout, or take more shards (--total-shards, now ${config.shard.total}).`,
    );
  }
  return advice;
}
