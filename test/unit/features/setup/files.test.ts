import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeFiles } from '../../../../src/features/setup/files.ts';

function world(answer: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const said: string[] = [];
  const wizard = {
    prompt: { ask: async () => answer },
    print: async (sentence: string) => void said.push(sentence),
    environment: {},
    readFile: async () => '',
    isQuiet: false,
  };
  const file = (name: string, text: string, own = {}) => ({
    ...{ name, text, mode: 0o600, ...own },
  });
  return { folder, said, wizard, file };
}

it('shows the lines that differ, with a line around them', async () => {
  const { folder, said, wizard, file } = world('n');
  writeFileSync(join(folder, 'letters'), 'a\nb\nc\nd\ne\nf');
  await writeFiles(folder, [file('letters', 'a\nb\nC\nd\ne\nf\ng\n')], [], wizard);
  expect(said).toEqual(['Changes to letters:\n  b\n- c\n+ C\n  d\n  f\n+ g']);
});

it('changes nothing where the person says no, and never shows a secret', async () => {
  const { folder, said, wizard, file } = world('n');
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
  expect(said).toEqual(['Changes to routes:\n- token: old\n+ token: …\nsecret gets a new secret.']);
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
