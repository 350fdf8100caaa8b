import { existsSync, readdirSync } from 'node:fs';
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

const DECISIONS = readdirSync(join(ROOT, 'docs/decisions')).filter((file) => file !== 'README.md');

it.each(['CONTRIBUTING.md', ...DECISIONS.map((file) => `docs/decisions/${file}`)])(
  '%s names files that exist',
  (document) => {
    const named =
      shippedText(document).match(/(?<=`)(?:src|test|docs|config|grafana|packaging)\/[\w./-]+\.\w+(?=`)/g) ??
      [];
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  },
);

it('docs/decisions/README.md lists each decision by its title', () => {
  const listed = Array.from(
    shippedText('docs/decisions/README.md').matchAll(/^(\d+\. )\[([^\]]+)\]\(([^)]+)\)/gm),
    ([, number, title = '', file]) => [file, `# ${number}${title.replaceAll(/\s+/g, ' ')}`],
  );
  const titles = DECISIONS.map((file) => [file, shippedText(`docs/decisions/${file}`).split('\n')[0]]);
  expect(listed).toEqual(titles.toSorted());
});
