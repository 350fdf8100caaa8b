import type { FleetDocument, FleetMaintenance, FleetPhone } from '../../fleet/document.ts';
import { indexPhones, isOffline, type PhoneEntry } from '../../fleet/phones.ts';
import { phonesIn, type Target } from '../../fleet/targets.ts';
import { countText, listText } from '../../fleet/words.ts';
import type { MaintenanceScope } from './model.ts';

/*
 * Phones that are worked on, as the page, the chat and the command name them.
 */

/** How a text writes instants, and texts that others wrote. */
export type Words = {
  readonly time: (instant: string | undefined) => string;
  readonly quote: (text: string) => string;
};

/** Writes the end of what holds, as `until 16:05`. */
export function untilText({ until, untilBack }: FleetMaintenance, time: Words['time']): string {
  return untilBack ? `until each is back, ${time(until)} at the latest` : `until ${time(until)}`;
}

/** Number of names in a text. */
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

/** Writes who works on phones, why and until when: `until 16:05, moving, by Olena`. */
export function workText(each: FleetMaintenance, { time, quote }: Words): string {
  const { source, id, reason, by } = each;
  const texts = [source === 'configured' ? id : '', reason, by && `by ${by}`].filter(Boolean);
  return [untilText(each, time), ...texts.map(quote)].join(', ');
}

/** Returns what covers a phone; of several, the one that ends last. Until back may be over for one that reports. */
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

/** Reports whether a phone is offline, also while it is worked on. */
export function isOfflineInMaintenance(phone: FleetPhone): boolean {
  return isOffline(phone) || (phone.problem === 'in_maintenance' && phone.offlineAfterReason !== undefined);
}

/** Says which phones of some report, and which do not. */
export function backText(entries: readonly PhoneEntry[], { time, quote }: Words): string {
  const offline = entries.filter(({ phone }) => isOfflineInMaintenance(phone));
  const back = entries.filter(({ phone }) => !isOfflineInMaintenance(phone)).map(({ name }) => quote(name));
  const count = `${back.length} of ${countText(entries.length, 'phone', 'phones')} back`;
  const times = offline.map(({ name, phone }) => `${quote(name)} since ${time(phone.lastHeartbeatAt)}`);
  if (offline.length === 0) return `${count}.`;
  const names = back.length === 0 ? '' : `: ${listText(back, NAMED, ', ')}`;
  return `${count}${names}.\nOffline: ${listText(times, NAMED, ', ')}.`;
}

/** Lists what holds, whoever began it. */
export function maintenanceText({ maintenance }: FleetDocument, words: Words): string {
  const lines = maintenance.map((each) => {
    const count = `${countText(each.phones, 'phone', 'phones')}, ${each.offlinePhones} of them offline`;
    return `• ${words.quote(each.covers)}: ${count}, ${workText(each, words)}`;
  });
  return lines.length === 0 ? 'Nothing is in maintenance.' : `In maintenance:\n${listText(lines, NAMED)}`;
}

/** Says that phones are not in maintenance any more, and which of them are back. */
export function overText({ title, scope }: Target, { phones }: FleetDocument, words: Words): string {
  const entries = indexPhones(phonesIn(phones, scope)).ordered('phone', false);
  return `Maintenance of ${words.quote(title)} is over. ${backText(entries, words)}`;
}

/** Maximum number of phones that a text about work names. */
const NAMED = 20;
