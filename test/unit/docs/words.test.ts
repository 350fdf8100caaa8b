import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * Words that this project had coined, and the words of the field that replaced them. One word for one thing: who finds a word
 * here uses the other one.
 */

const ROOT = join(import.meta.dirname, '../../..');

const REPLACED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\b(?:un)?told\b|\btellers?\b/i, 'people are alerted or notified; an incident covers a phone'],
  [/\bowner[’']s word\b/i, 'maintenance, or “I’m on it”'],
  [/\bI am on it\b/, 'I’m on it'],
  [
    /\bsilent (?:phones?|devices?|since|for|together)\b|\bsilence (?:limit|after)\b/i,
    'a phone is offline; a silence mutes alerts in Alertmanager',
  ],
  [/\boffline together\b|\bneeds you\b|\bto visit\b/i, 'an outage; needs attention'],
  [/\bsold reporting\b|\breports? again\b/i, 'online, back online'],
  [/\bcomes and goes\b/i, 'keeps going offline and online'],
  [/\bheld data\b|\bold data\b|\b(?:as|is) last known\b/i, 'stale or expired data; not updating'],
  [/\bas of\b/i, 'at, since or by'],
  [/\bsome \d/i, 'about'],
  [/\beach (?:second|minute|hour|day|week|poll|\d)/i, 'every'],
  [/\bgo on anyway\b/i, 'continue anyway'],
  [/\bdemand for a password\b/i, 'a 401'],
  [/\boddit(?:y|ies)\b|\bwithheld\b|\bsightings?\b/i, 'warning, rejected, poll'],
];

const filesIn = (folder: string, ends: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => ends.test(name));

const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'install.sh',
  ...filesIn('docs', /\.md$/),
  ...filesIn('config', /\.(?:ya?ml|tmpl|md|json)$/),
  ...filesIn('grafana/dashboards', /\.json$/),
  ...filesIn('src', /\.(?:tsx?|html)$/),
];

describe('documents, texts and comments', () => {
  it.each(REPLACED)('have no %s', (pattern, reason) => {
    const found = FILES.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 90)}`] : [],
        ),
    );
    expect(found, `Say instead: ${reason}.`).toEqual([]);
  });
});
