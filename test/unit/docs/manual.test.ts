import { expect, it } from 'vitest';
import { manualPage } from './manual.ts';

it('docs/hoster-exporter.8 is current: run `npm run docs` after a change of the help', async () => {
  await expect(await manualPage()).toMatchFileSnapshot('../../../docs/hoster-exporter.8');
});

it('docs/hoster-exporter.8 has commands, options and settings by their names', async () => {
  const page = await manualPage();
  for (const term of ['run', 'check', 'healthcheck', '\\-\\-config.file ...', '\\-\\-web.socket ...'])
    expect(page).toContain(`\n.B ${term}\n`);
});
