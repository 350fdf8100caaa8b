import { expect, it } from 'vitest';
import { createMonitor } from '../../../src/daemon/monitor.ts';
import { createRoutes } from '../../../src/http/routes.ts';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
import { dependenciesOf } from '../../dependencies.ts';
import { routeSourcesOf } from '../../route-sources.ts';
import { shippedText } from '../../rules/shipped.ts';
import { runCommand } from '../../run-command.ts';
import { load } from '../config/sources.ts';

const START = '<!-- commands: written by npm run docs -->\n';
const END = '<!-- end -->\n';

it('README.md lists the commands of the help', async () => {
  const { out } = await runCommand(['--help']);
  const [, listed = ''] = /^Commands:\n(.*?)\n\n/ms.exec(out) ?? [];
  const rows = Array.from(
    listed.matchAll(/^ {2}([a-z]+) +(.+)$/gm),
    ([, name, summary]) => `| \`${name}\` | ${summary} |\n`,
  );
  const [before = '', after = ''] = shippedText('README.md').split(START);
  const written = `${before}${START}| command | does |\n|---|---|\n${rows.join('')}${after.slice(after.indexOf(END))}`;
  await expect(written).toMatchFileSnapshot('../../../README.md');
});

it('README.md lists the paths that are served', () => {
  const { config } = load({ environment: { HOSTER_API_URL: 'https://api.example.com' } });
  const { features } = createMonitor(config, dependenciesOf({}), NOTHING_KNOWN);
  const ofFeatures = features.flatMap(({ routes }) => [...(routes?.() ?? [])]);
  const served = [...createRoutes(routeSourcesOf({ features: ofFeatures })).keys()].filter(
    (path) => !path.startsWith('/assets/'),
  );
  const listed = Array.from(
    shippedText('README.md').matchAll(/^\| (?:`POST`, )?`(?:[A-Z]+ )?(\/[^`]*)` \|/gm),
    ([, path]) => path,
  );
  expect([...new Set(listed)].toSorted()).toEqual(
    [...new Set(served.map((path) => path.replace(/^(\/runbooks\/).*/, '$1NAME')))].toSorted(),
  );
});
