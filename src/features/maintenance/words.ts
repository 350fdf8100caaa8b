import { quote } from '../../fleet/chat.ts';
import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import type { TimeText } from '../../fleet/freshness.ts';
import { indexPhones, isMutedOffline, isOffline, type PhoneEntry } from '../../fleet/phones.ts';
import { type PhoneTarget, phonesIn } from '../../fleet/targets.ts';
import { listText, personOf } from '../../fleet/words.ts';
import { isSetUp } from '../../model/device.ts';
import { language, say } from '../../text/say.ts';
import type { FleetMaintenance, MaintenanceScope } from './model.ts';

/* The texts about maintenance on the page, in the chat and in the command. */

/**
 * Describes active maintenance: its phones (`rack-03`; `12 phones, 3 offline`), its end (`until 16:05`), the name of its window
 * or its reason, and its author (`by Olena`). The last two may be ''. Names and reasons are text by others.
 */
export function describeMaintenance(each: FleetMaintenance, time: TimeText) {
  const { source, id, covers, reason, by, phones, offlinePhones } = each;
  // The exporter names accounts only where that tells phones apart.
  const accounts = covers.endsWith(` of ${listText(each.accounts, NAMES_SHOWN, ', ')}`) ? each.accounts : [];
  return {
    // The English name of the exporter, where the names of phones are not known here.
    name:
      language() === 'en' || each.devices.length > 0
        ? covers
        : scopeText({ ...each, accounts }, (device) => device),
    counts: say('maintenance-counts', { count: phones, offline: offlinePhones }),
    until: untilText(each, time),
    why: [source === 'configured' ? id : '', reason].filter(Boolean).join(', '),
    by: personOf(by) && say('maintenance-by', { person: by }),
  };
}

/** Says what is muted, and until when: `rack-03 muted until 23:28 (23 phones, 1 offline)`; '' for nothing. */
export function mutedText(maintenance: readonly FleetMaintenance[], time: TimeText): string {
  const texts = maintenance.map((each) => {
    const { name, counts, until } = describeMaintenance(each, time);
    const person = personOf(each.by);
    return person === ''
      ? say('maintenance-muted', { name, until, counts })
      : say('maintenance-muted-by', { name, until, person, counts });
  });
  return listText(texts, NAMES_SHOWN, '; ');
}

/**
 * Writes the end of maintenance: `until 16:05`, `until each phone is back online, 16:05 at the latest`.
 *
 * @param areOffline all phones are offline now, or none is known to be online
 */
export function untilText(
  { until, untilBack }: { readonly until?: string | number | undefined; readonly untilBack: boolean },
  time: TimeText,
  areOffline = true,
): string {
  if (!untilBack) return say('maintenance-until', { time: time(until) });
  return areOffline
    ? say('maintenance-until-back', { time: time(until) })
    : say('maintenance-until-gone-and-back', { time: time(until) });
}

/** Maximum number of names in a text. */
const NAMES_SHOWN = 3;

/**
 * Names the phones of a scope: `rack-01, rack-02`, `rack-01/slot-04 of main`, `all phones`.
 *
 * @param nameOf returns the name of a device, given its id or label
 */
export function scopeText(
  { accounts, groups, devices }: MaintenanceScope,
  nameOf: (device: string) => string,
): string {
  const names = [...groups, ...devices.map(nameOf)];
  const phones = names.length === 0 ? say('all-phones') : listText(names, NAMES_SHOWN, ', ');
  const account = listText(accounts, NAMES_SHOWN, ', ');
  return account === '' ? phones : say('name-of', { name: phones, account });
}

/** Writes the end, the reason and the person for a chat: `until 16:05, moving, by Olena`. */
export function detailsText(each: FleetMaintenance, time: TimeText): string {
  const { until, why, by } = describeMaintenance(each, time);
  return [until, ...[why, by].filter(Boolean).map(quote)].join(', ');
}

/** Returns the maintenance that covers a phone; if there are several, the one that ends last. */
export function coverOf(
  maintenance: readonly FleetMaintenance[],
  phone: FleetPhone,
): FleetMaintenance | undefined {
  const endOf = ({ until = '', untilBack }: FleetMaintenance): number =>
    untilBack && !isOfflineOrMuted(phone) ? 0 : Date.parse(until);
  return maintenance
    .filter((each) => phonesIn([phone], each).length > 0)
    .sort((one, other) => endOf(other) - endOf(one))[0];
}

/** Reports whether a phone is offline, whether or not it is in maintenance. */
export function isOfflineOrMuted(phone: FleetPhone): boolean {
  return isOffline(phone) || isMutedOffline(phone);
}

/** Maximum number of phones that a text names. */
const NAMED = 20;

/** Names the phones that are back online and those that are still offline. Counts those never set up separately. */
export function backText(all: readonly PhoneEntry[], time: TimeText): string {
  const entries = all.filter(({ phone }) => isSetUp(phone.setupStatus));
  const others = all.length - entries.length;
  const apart = others === 0 ? '' : `, ${say('count-not-set-up', { count: others })}`;
  const offline = entries.filter(({ phone }) => isOfflineOrMuted(phone));
  const back = entries.filter(({ phone }) => !isOfflineOrMuted(phone)).map(({ name }) => quote(name));
  const count = say('maintenance-back', { back: back.length, all: entries.length });
  const times = offline.map(({ name, phone }) =>
    say('maintenance-phone-since', { name: quote(name), time: time(phone.lastHeartbeatAt) }),
  );
  if (offline.length === 0) return `${say('maintenance-none-offline', { count: entries.length })}${apart}.`;
  const names = back.length === 0 ? '' : `: ${listText(back, NAMED, ', ')}`;
  const stillOffline = say('maintenance-still-offline', { names: listText(times, NAMED, ', ') });
  return `${count}${apart}${names}.\n${stillOffline}`;
}

/** Lists active maintenance for a chat. */
export function maintenanceText({ maintenance }: FleetDocument, time: TimeText): string {
  const lines = maintenance.map((each) => {
    const { name, counts } = describeMaintenance(each, time);
    return `• ${quote(name)}: ${counts}, ${detailsText(each, time)}`;
  });
  return lines.length === 0
    ? say('maintenance-none')
    : `${say('maintenance-list')}\n${listText(lines, NAMED)}`;
}

/** Says that maintenance has ended, and which phones are back online. */
export function overText({ title, scope }: PhoneTarget, { phones }: FleetDocument, time: TimeText): string {
  const entries = indexPhones(phonesIn(phones, scope)).ordered('phone', false);
  return `${say('maintenance-ended', { name: quote(title) })} ${backText(entries, time)}`;
}
