import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileDestination } from '../../src/base/log.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'hoster-exporter-log-'));
const LINE = `${'x'.repeat(1_023)}\n`;
/** Twice as many lines as may wait. */
const MANY = 2_048;

afterAll(() => rmSync(FOLDER, { recursive: true }));

describe('the log destination', () => {
  it('has written all lines to a file when a flush ends', async () => {
    const path = join(FOLDER, 'lines');
    const destination = createFileDestination(openSync(path, 'a'));
    destination.write('one\n');
    destination.write('two\n');
    await destination.flush();
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    await destination.flush();
  });

  it('drops lines while the reader is stuck, and continues when it reads again', async () => {
    const path = join(FOLDER, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const destination = createFileDestination(pipe);
    for (let index = 0; index < MANY; index++) destination.write(LINE);

    let flushed = false;
    const flush = destination.flush().then(() => {
      flushed = true;
    });
    let received = 0;
    while (!flushed) {
      received += drain(pipe);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await flush;
    received += drain(pipe);
    expect(received).toBe((MANY / 2) * LINE.length);
    closeSync(pipe);
  });

  it.runIf(process.platform === 'linux')('survives a full disk', async () => {
    const destination = createFileDestination(openSync('/dev/full', 'w'));
    for (let index = 0; index < MANY; index++) destination.write(LINE);
    await destination.flush();
  });
});

/** Reads all that waits in a pipe; the number of bytes. */
function drain(pipe: number): number {
  const buffer = Buffer.alloc(65_536);
  let total = 0;
  for (;;) {
    try {
      total += readSync(pipe, buffer);
    } catch {
      return total;
    }
  }
}
