import { z } from 'zod';
import type { Message } from '../../rules/inbox.ts';

const Labels = z.record(z.string(), z.string());

const Texts = z.object({ summary: z.string(), since: z.string().optional(), over: z.string().optional() });

/** The parts that are read of a webhook message of Alertmanager ("webhook_config" of its documentation). */
const Posted = z.object({
  receiver: z.string(),
  status: z.string(),
  truncatedAlerts: z.number(),
  groupLabels: Labels,
  alerts: z.array(z.object({ status: z.string(), labels: Labels, annotations: Texts })),
});

/** A message to a hoster. */
export type ReceivedMessage = {
  /** The labels of its first alert. */
  readonly labels: Readonly<Record<string, string>>;
  /** `<receiver> <firing or resolved> <name of the alert> (<number of alerts>): <first line>` */
  readonly text: string;
};

/** The messages that came to the webhook, in order. */
export function receivedMessages(messages: readonly Message[]): readonly ReceivedMessage[] {
  return messages.filter(({ path }) => path === '/webhook').map(({ body }) => messageOf(JSON.parse(body)));
}

/** A time differs from run to run. */
const TIME = /(?<=since )\d+ \w+ \d\d:\d\d UTC|(?<=after )(?:\d+[hms] ?)+$/;

function messageOf(body: unknown): ReceivedMessage {
  const { receiver, status, truncatedAlerts, groupLabels, alerts: all } = Posted.parse(body);
  // A message that fires has the alerts of its group that ended too; the templates tell those that fire.
  const alerts = all.filter((alert) => alert.status === status);
  const [first] = alerts;
  const count = alerts.length + truncatedAlerts;
  const name = groupLabels['alertname'] ?? 'digest';
  const { summary = '', since = '', over = '' } = first?.annotations ?? {};
  const line =
    status === 'firing' ? `${summary} ${since}`.trim() : [summary, over].filter(Boolean).join(', ');
  return {
    labels: first?.labels ?? {},
    text: `${receiver} ${status} ${name} (${count}): ${line.replace(TIME, '<time>')}`,
  };
}
