import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWebAccess } from '../../../../src/http/web-config/access.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { openDisk } from '../../../open-disk.ts';
import { silentLog } from '../../../silent-log.ts';
import { folderOfFile } from '../../temporary-folder.ts';

const folder = folderOfFile();

it('the web configuration answers 500 and logs an error when passwords cannot be checked', async () => {
  const path = join(folder, 'web.yml');
  writeFileSync(path, `basic_auth_users:\n  alice: $2y$10$${'x'.repeat(53)}\n`);
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => errors.push(message) };
  const checker = { matches: () => Promise.reject(new Error('the thread has ended')), stop: () => {} };
  const { authorize } = await openWebAccess({ path, disk: openDisk, clock: createFakeClock(), log, checker });
  const login = `Basic ${Buffer.from('alice:secret').toString('base64')}`;
  const { refusal } = await authorize(login);
  expect([refusal?.status, String(refusal?.content)]).toEqual([500, 'Internal Server Error\n']);
  expect(errors).toEqual(['a password could not be checked']);
});
