import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { outputOf } from '../output.ts';
import { shippedText } from '../rules/shipped.ts';

const UNIT = 'config/systemd/hoster-exporter.service';

const CHAT_UNIT = 'config/systemd/hoster-exporter-telegram.service';

const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;
const because = isMissing ? ' (skipped: systemd-analyze is needed, of the Debian package systemd)' : '';

describe.skipIf(isMissing)(`the systemd unit${because}`, () => {
  it.each([UNIT, CHAT_UNIT])('%s is accepted by systemd-analyze verify', async (unit) => {
    expect(await outputOf('systemd-analyze', ['verify', '--man=no', unit])).toBe('');
  });

  it('has the exposure level that docs/INSTALL.md states', async () => {
    const said = await outputOf('systemd-analyze', ['security', '--offline=true', UNIT]);
    const [, figure] = said.match(/Overall exposure level for \S+: (\d+\.\d+)/) ?? [];
    expect(shippedText('docs/INSTALL.md')).toContain(`\`systemd-analyze security\` gives it ${figure} of 10`);
    expect(Number(figure)).toBeLessThan(1.5);
  });
});
