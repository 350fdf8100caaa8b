import type { FleetDocument, FleetIncident } from '../../../fleet/document.ts';
import { type AgeBasis, type Freshness, type TimeText, withoutSeconds } from '../../../fleet/freshness.ts';
import { type PhoneEntry, sumTotals } from '../../../fleet/phones.ts';
import { type Visit, visitsOf } from '../../../fleet/visits.ts';
import {
  countText,
  incidentTitle,
  moneyText,
  outOfServiceText,
  PROBLEM_WORDS,
  type Tone,
} from '../../../fleet/words.ts';
import { WORDS } from './words.ts';

/*
 * The sentence at the top of the page: what is wrong, or that all is well.
 */

export type Verdict = {
  readonly tone: Tone;
  readonly title: string;
  /** Its cost, or the last known state while there is no new data. */
  readonly note: string;
  /** The last outage that was resolved within a day; while all is well, the last alert; '' without one. */
  readonly past: string;
  /** The notices that the sentence does not replace. */
  readonly notices: Freshness['notices'];
};

type VerdictInputs = {
  readonly fleet: FleetDocument | undefined;
  /** The places that need attention. */
  readonly visits: readonly Visit[];
  readonly freshness: Freshness;
  /** By the name of the account. */
  readonly bases: ReadonlyMap<string, AgeBasis>;
  readonly time: TimeText;
};

/** Returns the places that need attention now, the most costly first. */
export function urgentVisits(fleet: FleetDocument, entries: readonly PhoneEntry[]): readonly Visit[] {
  const isUrgent = ({ phone: { problem } }: PhoneEntry): boolean =>
    problem !== undefined && PROBLEM_WORDS[problem].tone !== 'info';
  return visitsOf(fleet, entries.filter(isUrgent));
}

/**
 * Returns the sentence. While no account has new data, it says so, and what was known is a note: what is old is never fine.
 *
 * Example: `2 outages, 3 phones need attention`, with the note `5 sold phones are offline, about €0.90 an hour (estimated)`.
 */
export function verdictOf(inputs: VerdictInputs): Verdict {
  const { fleet, visits, freshness, bases, time } = inputs;
  const { tone, word, notices } = freshness;
  if (fleet === undefined || bases.size === 0 || fleet.accounts.every(({ totals }) => totals === undefined)) {
    const [first, ...others] = notices;
    if (first === undefined) return { tone: 'wait', title: word, note: '', past: '', notices: [] };
    return { tone: first.tone, title: first.title, note: first.text, past: '', notices: others };
  }
  const present = presentOf(fleet, visits, time);
  const isOld = [...bases.values()].every(({ state }) => state !== 'fresh');
  const past = pastOf(fleet.incidents, time, present.tone === 'good' && !isOld);
  const [first, ...others] = notices;
  if (!isOld || first === undefined) return { ...present, past, notices };
  const known = visits.length === 0 ? WORDS.noProblemThen : `${WORDS.lastKnown} ${present.title}.`;
  return {
    ...{ tone: tone === 'good' ? first.tone : tone, title: first.title },
    note: `${first.text} ${known}`,
    past,
    notices: others,
  };
}

type Present = Pick<Verdict, 'tone' | 'title' | 'note'>;

/** Returns the sentence as if all data were new. */
function presentOf(fleet: FleetDocument, visits: readonly Visit[], time: TimeText): Present {
  if (visits.length === 0) return calmOf(fleet, time);
  const outages = visits.filter(({ cause }) => cause !== undefined).length;
  const phones = visits.length - outages;
  const subjects = [
    ...(outages === 0 ? [] : [countText(outages, 'outage', 'outages')]),
    ...(phones === 0 ? [] : [countText(phones, 'phone', 'phones')]),
  ];
  const verb = (phones === 0 ? outages : phones) === 1 ? 'needs' : 'need';
  const paid = visits.reduce((sum, { sold, selfRented }) => sum + sold + selfRented, 0);
  return {
    tone: paid > 0 ? 'bad' : 'warn',
    title: `${subjects.join(', ')} ${verb} attention`,
    note: lossText(visits),
  };
}

/** Says how many sold phones are offline, and what they cost an hour by the configured prices. */
function lossText(visits: readonly Visit[]): string {
  const sold = visits.reduce((sum, visit) => sum + visit.sold, 0);
  if (sold === 0) return '';
  const phones = countText(sold, 'sold phone is offline', 'sold phones are offline');
  const cost = hourlyCost(visits);
  return cost === '' ? `${phones}.` : `${phones}, ${cost}.`;
}

/** Writes the cost of an hour for each currency: `about €0.90 an hour (estimated)`; '' without prices. */
export function hourlyCost(visits: readonly Pick<Visit, 'costs'>[]): string {
  const costs = new Map<string | undefined, number>();
  for (const { currency, cents } of visits.flatMap((visit) => visit.costs))
    costs.set(currency, (costs.get(currency) ?? 0) + cents / 24);
  const amounts = Array.from(costs, ([currency, cents]) => moneyText(cents, currency));
  return amounts.length === 0 ? '' : WORDS.costs(amounts.join(' + '));
}

/** Says that there are no problems, as far as that is known. */
function calmOf({ accounts }: FleetDocument, time: TimeText): Present {
  const doubt = (title: string): Present => ({ tone: 'info', title, note: '' });
  const empty = accounts.filter(({ totals }) => totals?.phones === 0).map(({ name }) => name);
  const stale = accounts.filter(({ readings }) => readings.devices.state !== 'fresh');
  const [seenAt] = stale.flatMap(({ readings }) => readings.devices.lastSuccessAt ?? []).sort();
  if (accounts.some(({ totals }) => totals === undefined)) return doubt(WORDS.noDataYet);
  if (stale.length > 0) return doubt(WORDS.noProblemAt(time(seenAt)));
  if (empty.length > 0) return doubt(WORDS.empty(empty.join(', ')));
  if (accounts.some(({ gracePeriodEndsAt }) => gracePeriodEndsAt !== undefined))
    return doubt(WORDS.noProblemYet);
  const totals = sumTotals(accounts);
  const inService = totals.phones - totals.notSetUp - totals.inMaintenance;
  const others = outOfServiceText(totals);
  return {
    tone: 'good',
    title: totals.online === inService ? WORDS.allOnline(inService) : WORDS.online(totals.online, inService),
    note: others.length === 0 ? '' : `${others.join(', ')}.`,
  };
}

/**
 * Says when the last outage was resolved, also below new problems; while all is well, else the last alert.
 *
 * Example: `rack-03 was offline 12:17–12:29, 2 sold phones.`
 */
function pastOf(incidents: readonly FleetIncident[], time: TimeText, isCalm: boolean): string {
  const spanOf = ({ since, endedAt }: FleetIncident): string =>
    `${withoutSeconds(time(since))}–${withoutSeconds(time(endedAt))}`;
  const ended = incidents
    .filter(({ endedAt }) => endedAt !== undefined)
    .sort((one, other) => ((one.endedAt ?? '') < (other.endedAt ?? '') ? 1 : -1));
  const outages = ended.filter(
    ({ problem, reason }) => OUTAGES.has(problem) && (reason === 'back' || reason === 'rented'),
  );
  const [outage] = outages;
  if (outage !== undefined) {
    const { value, allPhones = 0, mostSoldPhones = 0 } = outage;
    const subject = value === undefined ? `${countText(allPhones, 'phone', 'phones')} were` : `${value} was`;
    return WORDS.wasOffline(subject, spanOf(outage), mostSoldPhones, outages.length - 1);
  }
  if (!isCalm) return '';
  const alert = ended.find(({ severity, reason }) => severity !== 'info' && reason !== 'clock_set');
  if (alert === undefined) return WORDS.noAlerts;
  const { label = '', phone = alert.account } = alert;
  return WORDS.lastAlert(incidentTitle(alert), label.trim() || phone, spanOf(alert));
}

/** Outages of several phones. */
const OUTAGES: ReadonlySet<string> = new Set(['common_cause', 'many_sold_offline', 'many_offline']);
