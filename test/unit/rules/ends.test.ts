import { expect, it } from 'vitest';
import { END_REASONS, endOf, INCIDENT_PROBLEMS } from '../../../src/model/incident.ts';
import { shippedText } from '../../rules/shipped.ts';

const template = shippedText('config/alertmanager/templates/hoster.tmpl');
const slack = shippedText('config/alertmanager/templates/slack.tmpl');

/** Returns the word that the template `hoster.end` writes, by its patterns. */
function wordOf(over: string, problem: string): string {
  const [, definition = ''] = /define "hoster\.end" \}\}(.*)/.exec(template) ?? [];
  const [muted = '', rented = '', changed = ''] = Array.from(
    definition.matchAll(/match "([^"]+)"/g),
    ([, pattern = '']) => pattern,
  );
  if (new RegExp(muted).test(over)) return 'muted';
  if (problem === 'earns_nothing' && new RegExp(rented).test(over)) return 'resolved';
  return new RegExp(changed).test(over) ? 'changed' : 'resolved';
}

it('say of each reason what the exporter says', () => {
  for (const problem of INCIDENT_PROBLEMS)
    for (const reason of END_REASONS) {
      const over = `${reason.replace(/^maint/, 'in maint').replaceAll('_', ' ')} after 13m`;
      expect(`${problem} ${reason}: ${wordOf(over, problem)}`).toBe(
        `${problem} ${reason}: ${endOf(reason, problem)}`,
      );
    }
  expect(wordOf('account removed', 'sold_offline')).toBe('muted');
});

it('are green in Slack only if all is well', () => {
  const [, pattern = ''] = /define "hoster\.slack\.color".*?match "([^"]+)"/.exec(slack) ?? [];
  for (const reason of END_REASONS) {
    const over = `${reason.replace(/^maint/, 'in maint').replaceAll('_', ' ')} after 13m`;
    expect(`${reason} ${!new RegExp(pattern).test(over)}`).toBe(
      `${reason} ${endOf(reason, 'sold_offline') === 'resolved'}`,
    );
  }
});
