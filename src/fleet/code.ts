import type { FleetIncident } from './document.ts';

/*
 * The names of incidents in the commands below alerts: `/ack_1764288123_sop04a7b2`. They consist of the start in seconds since
 * 1970, the initials of the problem, and the end of the id of the phone or of the value its phones share. The `acknowledge`
 * annotation of the rules writes them in the same way.
 */

export type IncidentCode = { readonly second: number; readonly subject: string | undefined };

/** A command about an incident: its code, and a word such as `2h`. */
const COMMAND = /^(\d{6,12})(?:_(?!(?:back|undo)(?:_|$))([a-z][0-9A-Za-z]*))?(?:_(\w+))?$/;

/** Returns the part of a code that names the problem and the subject. */
export function codeOf({
  problem,
  phone,
  value,
}: Pick<FleetIncident, 'problem' | 'phone' | 'value'>): string {
  const subject = (phone || value || '').replace(/[^a-zA-Z0-9]/g, '').slice(-8);
  return `${problem.replace(/([a-z])[a-z]*_?/g, '$1')}${subject}`;
}

/** Parses what follows `/ack_`; undefined for anything else. */
export function parseCode(text: string): { readonly code: IncidentCode; readonly word: string } | undefined {
  const [, second, subject, word = ''] = COMMAND.exec(text) ?? [];
  return second === undefined ? undefined : { code: { second: Number(second), subject }, word };
}

export function codesIn(message: string): readonly IncidentCode[] {
  return Array.from(
    message.matchAll(/\/(?:ack|notes)_(\w+)/g),
    ([, text = '']) => parseCode(text)?.code,
  ).filter((code) => code !== undefined);
}

export function codeText(incident: FleetIncident): string {
  return `${Math.round(Date.parse(incident.since ?? '') / 1000)}_${codeOf(incident)}`;
}

/** Reports whether a code names an incident. Alerts round half seconds to even, so the seconds on both sides match. */
export function isNamedBy(incident: FleetIncident, { second, subject }: IncidentCode): boolean {
  const distance = Math.abs(Date.parse(incident.since ?? '') / 1000 - second);
  return distance <= 0.5 && (subject === undefined || subject === codeOf(incident));
}
