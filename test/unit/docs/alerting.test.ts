import { expect, it } from 'vitest';
import { INCIDENT_PROBLEMS, INCIDENTS } from '../../../src/model/incident.ts';
import { shippedText } from '../../rules/shipped.ts';

const HEAD = '| alert | severity | opens | ends |\n|---|---|---|---|\n';

/** Reasons that the text names once for all phones. */
const OF_ALL_PHONES: readonly string[] = ['left', 'maintenance', 'clock_set'];

/** The rows of docs/ALERTING.md: an incident each, in the order of the exporter. */
const ROWS = INCIDENT_PROBLEMS.map((problem) => {
  const { alert, severity, opens, ends, subject } = INCIDENTS[problem];
  const own = ends.filter((reason) => subject === 'account' || !OF_ALL_PHONES.includes(reason));
  const link = `[${alert.replace('Hoster', '')}](runbooks/${alert}.md)`;
  return `| ${link} | ${severity} | ${opens} | ${own.join(', ')} |\n`;
}).join('');

it('docs/ALERTING.md tells when each incident opens and why it ends', async () => {
  const text = shippedText('docs/ALERTING.md');
  const [before = '', after = ''] = text.split(HEAD);
  const written = `${before}${HEAD}${ROWS}${after.replace(/^(?:\|.*\n)*/, '')}`;
  await expect(written).toMatchFileSnapshot('../../../docs/ALERTING.md');
});

it('docs/ALERTING.md stays short: fewer than 935 words', () => {
  expect(shippedText('docs/ALERTING.md').split(/\s+/).length).toBeLessThan(935);
});
