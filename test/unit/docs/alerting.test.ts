import { expect, it } from 'vitest';
import { END_REASONS, INCIDENT_PROBLEMS, INCIDENTS } from '../../../src/model/incident.ts';
import { shippedText } from '../../rules/shipped.ts';

const HEAD = '| alert | severity | opens | ends |\n|---|---|---|---|\n';

/** The cells of the rows of docs/ALERTING.md: an incident each. */
function rows(): readonly (readonly string[])[] {
  const [, after = ''] = shippedText('docs/ALERTING.md').split(HEAD);
  const [table = ''] = after.split('\n\n');
  return table
    .trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '));
}

it('docs/ALERTING.md has a row for each incident, in the order of the exporter', () => {
  expect(rows().map(([alert, severity]) => [alert, severity])).toEqual(
    INCIDENT_PROBLEMS.map((problem) => {
      const { alert, severity } = INCIDENTS[problem];
      return [`[${alert.replace('Hoster', '')}](runbooks/${alert}.md)`, severity];
    }),
  );
});

it('docs/ALERTING.md names only reasons that there are, and each of them', () => {
  const named = rows().flatMap(([, , , ends = '']) => ends.split(', ').filter(Boolean));
  const text = shippedText('docs/ALERTING.md');
  expect(named.filter((reason) => !END_REASONS.some((each) => each === reason))).toEqual([]);
  expect(END_REASONS.filter((reason) => !named.includes(reason) && !text.includes(`\`${reason}\``))).toEqual(
    [],
  );
});

it('docs/ALERTING.md stays short: fewer than 935 words', () => {
  expect(shippedText('docs/ALERTING.md').split(/\s+/).length).toBeLessThan(935);
});
