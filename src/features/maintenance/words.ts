import type { FleetDocument, FleetMaintenance, FleetPhone } from '../../fleet/document.ts';
import { indexPhones, isOffline, type PhoneEntry } from '../../fleet/phones.ts';
import { type PhoneTarget, phonesIn } from '../../fleet/targets.ts';
import { countText, listText } from '../../fleet/words.ts';
import type { MaintenanceScope } from './model.ts';

/*
 * The texts about maintenance on the page, in the chat and in the command.
 */

/** Formatters for instants and for text from other people. */
export type Formats = {
  readonly time: (instant: string | undefined) => string;
  readonly quote: (text: string) => string;
};

/** Writes the end of maintenance: `until 16:05`. */
export function untilText({ until, untilBack }: FleetMaintenance, time: Formats['time']): string {
  return untilBack ? `until each phone is back online, ${time(until)} at the latest` : `until ${time(until)}`;
}

/** Maximum number of names in a text. */
const NAMES_SHOWN = 3;

/**
 * Names the phones of a scope: `rack-01, rack-02`, `rack-01/slot-04 of main`, `all phones`.
 *
 * @param nameOf returns the name of a device, which is given by its id or label
 */
export function scopeText(
  { accounts, groups, devices }: MaintenanceScope,
  nameOf: (device: string) => string,
): string {
  const names = [...groups, ...devices.map(nameOf)];
  const phones = names.length === 0 ? 'all phones' : listText(names, NAMES_SHOWN, ', ');
  return accounts.length === 0 ? phones : `${phones} of ${listText(accounts, NAMES_SHOWN, ', ')}`;
}

/** Writes the end, the reason and the person: `until 16:05, moving, by Olena`. */
export function detailsText(each: FleetMaintenance, { time, quote }: Formats): string {
  const { source, id, reason, by } = each;
  const texts = [source === 'configured' ? id : '', reason, by && `by ${by}`].filter(Boolean);
  return [untilText(each, time), ...texts.map(quote)].join(', ');
}

/** Returns the maintenance that covers a phone; of several, the one that ends last. */
export function coverOf(
  maintenance: readonly FleetMaintenance[],
  phone: FleetPhone,
): FleetMaintenance | undefined {
  const endOf = ({ until = '', untilBack }: FleetMaintenance): number =>
    untilBack && !isOfflineInMaintenance(phone) ? 0 : Date.parse(until);
  return maintenance
    .filter((each) => phonesIn([phone], each).length > 0)
    .sort((one, other) => endOf(other) - endOf(one))[0];
}

/** Reports whether a phone is offline, in maintenance or not. */
export function isOfflineInMaintenance(phone: FleetPhone): boolean {
  return isOffline(phone) || (phone.problem === 'in_maintenance' && phone.offlineAfterReason !== undefined);
}

/** Names the phones that are back online and those that are still offline. */
export function backText(entries: readonly PhoneEntry[], { time, quote }: Formats): string {
  const offline = entries.filter(({ phone }) => isOfflineInMaintenance(phone));
  const back = entries.filter(({ phone }) => !isOfflineInMaintenance(phone)).map(({ name }) => quote(name));
  const count = `${back.length} of ${countText(entries.length, 'phone', 'phones')} back online`;
  const times = offline.map(({ name, phone }) => `${quote(name)} since ${time(phone.lastHeartbeatAt)}`);
  if (offline.length === 0) return `${count}.`;
  const names = back.length === 0 ? '' : `: ${listText(back, NAMED, ', ')}`;
  return `${count}${names}.\nOffline: ${listText(times, NAMED, ', ')}.`;
}

/** Lists active maintenance. */
export function maintenanceText({ maintenance }: FleetDocument, words: Formats): string {
  const lines = maintenance.map((each) => {
    const count = `${countText(each.phones, 'phone', 'phones')}, ${each.offlinePhones} offline`;
    return `• ${words.quote(each.covers)}: ${count}, ${detailsText(each, words)}`;
  });
  return lines.length === 0 ? 'No phone is in maintenance.' : `In maintenance:\n${listText(lines, NAMED)}`;
}

/** Says that maintenance has ended, and which phones are back online. */
export function overText({ title, scope }: PhoneTarget, { phones }: FleetDocument, words: Formats): string {
  const entries = indexPhones(phonesIn(phones, scope)).ordered('phone', false);
  return `Maintenance of ${words.quote(title)} has ended. ${backText(entries, words)}`;
}

/** Maximum number of phones that a text names. */
const NAMED = 20;

/** Texts of the page. */
export const PAGE_WORDS = {
  note: 'Alerts for these phones are muted.',
  long: 'for more than a week',
  mute: 'Mute alerts for',
  muteNote:
    'No alerts for these phones during that time. If they are still offline afterwards, you will be notified.',
  reasonHint: 'Reason (optional)',
};

/** Texts of the chat. */
export const CHAT_WORDS = {
  maintenanceCommand: 'Mute alerts: /maintenance rack-03 2h moving; alone, lists maintenance',
  backCommand: 'End maintenance: /back rack-03, /back all',
  isOnIt: 'I’m on it',
  howLong: 'For how long? At least one minute and at most 30 days, such as 2h.',
  timeHint: ' Write a time like 2h, 90 min, 18:00 or back.',
  muted: 'Their alerts are muted until then.',
  noRequests: 'There is no maintenance to end.',
  endOne: 'End it? If phones are still offline, you are notified at once.',
  endAll: 'End them all? If phones are still offline, you are notified at once.',
  alreadyEnded: 'This maintenance has already ended.',
  mayBeSaved: 'The change may have been applied: /maintenance shows it.',
  otherResponse: 'Something other than the exporter responded.',
};
