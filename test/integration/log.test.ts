import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileDestination } from '../../src/log.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'hoster-exporter-log-'));
const LINE = `${'x'.repeat(1_023)}\n`;
/** Twice as many lines as may wait. */
const MANY = 2_048;

afterAll(() => rmSync(FOLDER, { recursive: true }));

function neverDropped(): void {
  throw new Error('a line was dropped');
}

describe('the log destination', () => {
  it('has written all lines to a file when a flush ends', async () => {
    const path = join(FOLDER, 'lines');
    const destination = createFileDestination(openSync(path, 'a'), neverDropped);
    destination.write('one\n');
    destination.write('two\n');
    await destination.flush();
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    await destination.flush();
  });

  it('drops and counts lines while the reader is stuck, and continues when it reads again', async () => {
    const path = join(FOLDER, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    let dropped = 0;
    const destination = createFileDestination(pipe, () => {
      dropped += 1;
    });
    for (let index = 0; index < MANY; index++) destination.write(LINE);
    expect(dropped).toBe(MANY / 2);

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
    let dropped = 0;
    const destination = createFileDestination(openSync('/dev/full', 'w'), () => {
      dropped += 1;
    });
    for (let index = 0; index < MANY; index++) destination.write(LINE);
    await destination.flush();
    expect(dropped).toBe(MANY / 2);
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
