import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFiles } from '../../../../src/features/setup/files.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { wizardWith } from './wizard.ts';

function world(answer: string) {
  const folder = temporaryFolder();
  const { wizard, said } = wizardWith([answer]);
  const file = (name: string, text: string, own = {}) => ({ name, text, mode: 0o600, ...own });
  const changes = () => said.slice(0, -1);
  return { folder, changes, wizard, file };
}

it('shows the lines that differ, with a line around them', async () => {
  const { folder, changes, wizard, file } = world('n');
  writeFileSync(join(folder, 'letters'), 'a\nb\nc\nd\ne\nf');
  await writeFiles(folder, [file('letters', 'a\nb\nC\nd\ne\nf\ng\n')], [], wizard);
  expect(changes()).toEqual(['Changes to letters:\n  b\n- c\n+ C\n  d\n  f\n+ g']);
});

it('changes nothing where the person says no, and never shows a secret', async () => {
  const { folder, changes, wizard, file } = world('n');
  writeFileSync(join(folder, 'routes'), 'token: old\n');
  writeFileSync(join(folder, 'secret'), 'old');
  const planned = [
    file('routes', 'token: geheim\n'),
    file('secret', 'geheim', { isSecret: true }),
    file('new', 'x'),
  ];
  expect(await writeFiles(folder, planned, ['geheim'], wizard)).toBe(false);
  expect(readdirSync(folder)).toEqual(['routes', 'secret']);
  expect(readFileSync(join(folder, 'routes'), 'utf8')).toBe('token: old\n');
  expect(changes()).toEqual(['Changes to routes:\n- token: old\n+ token: …\nsecret gets a new secret.']);
});

it("keeps a file's old content next to it, except a secret, and leaves no temporary file", async () => {
  const { folder, wizard, file } = world('');
  writeFileSync(join(folder, 'routes'), 'old\n');
  writeFileSync(join(folder, 'secret'), 'old');
  const planned = [file('routes', 'fresh\n'), file('secret', 'fresh', { isSecret: true })];
  await writeFiles(folder, planned, [], wizard);
  expect(readdirSync(folder)).toEqual(['routes', 'routes.before', 'secret']);
  expect(readFileSync(join(folder, 'routes.before'), 'utf8')).toBe('old\n');
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('fresh');
});
