import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/*
 * config/alertmanager/start.sh, which starts Alertmanager in compose.yaml, with a stand-in for Alertmanager.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-channel-'));
const files = join(folder, 'config');
const routes = join(folder, 'alertmanager.yml');

function start() {
  const { status, stdout, stderr } = spawnSync('sh', [join(files, 'start.sh'), '--storage.path=/x'], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH']}` },
  });
  return { status, stdout, stderr };
}

describe('start.sh', () => {
  it("starts Alertmanager with the routes that notify nobody, and with setup's routes if they are there", () => {
    cpSync('config/alertmanager', files, { recursive: true });
    const script = readFileSync(join(files, 'start.sh'), 'utf8');
    writeFileSync(join(files, 'start.sh'), script.replace('/etc/alertmanager/alertmanager.yml', routes));
    writeFileSync(join(folder, 'alertmanager'), '#!/bin/sh\necho "$@"\n');
    chmodSync(join(folder, 'alertmanager'), 0o755);
    const none = join(files, 'alertmanager.none.yml');
    expect(start()).toEqual({ status: 0, stdout: `--config.file=${none} --storage.path=/x\n`, stderr: '' });
    writeFileSync(routes, '');
    expect(start().stdout).toBe(`--config.file=${routes} --storage.path=/x\n`);
  });
});
