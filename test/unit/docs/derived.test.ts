import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn } from '../../files.ts';
import { outputOf } from '../../output.ts';
import { ROOT, shippedText } from '../../rules/shipped.ts';

it('`npm run docs` writes the file snapshots of all tests', async () => {
  const folder = 'test/unit';
  const withSnapshots = filesIn(join(ROOT, folder))
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.toMatch(?:File)?Snapshot\(/.test(shippedText(file)));
  const written = (await outputOf('node', ['packaging/docs.mjs', '--list'])).split('\n');
  expect(written.toSorted()).toEqual(withSnapshots.toSorted());
  expect(written).toContain('test/unit/config/flags.test.ts');
  expect(shippedText('package.json')).toContain('"docs": "node packaging/docs.mjs"');
});

it('CONTRIBUTING.md names files and folders that exist', () => {
  const named =
    shippedText('CONTRIBUTING.md').match(/`(?:src|test|docs|config|grafana)\/[\w./-]+\.\w+`/g) ?? [];
  const missing = named.map((file) => file.slice(1, -1)).filter((file) => !file.includes('NAME'));
  const all = ['src', 'test', 'docs', 'config', 'grafana'].flatMap((folder) =>
    filesIn(join(ROOT, folder)).map((file) => `${folder}/${file}`),
  );
  expect(missing.length).toBeGreaterThan(10);
  expect(missing.filter((file) => !all.includes(file))).toEqual([]);
});
