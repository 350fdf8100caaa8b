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
});

/** The rows of the table "to add" in CONTRIBUTING.md: an example, and the files and folders that name it. */
const ADDITIONS = Array.from(
  shippedText('CONTRIBUTING.md').matchAll(/^\| an? [^|]+\| `(\w+)` \|(.+)\|$/gm),
  ([, example = '', places = '']) => ({
    example,
    places: Array.from(places.matchAll(/`([\w-]+\/[\w./-]*)`/g), ([, place = '']) => place),
  }),
);

it('CONTRIBUTING.md says what to change for a metric, a field, a column, a chat command, a setting, a problem, an incident and an alert', () => {
  expect(ADDITIONS).toHaveLength(8);
});

it.each(ADDITIONS)('CONTRIBUTING.md lists the files that $example is in', ({ example, places }) => {
  const naming = (path: string): boolean => shippedText(path).includes(example);
  const isNamed = (place: string): boolean =>
    place.endsWith('/')
      ? filesIn(join(ROOT, place)).some((file) => naming(`${place}${file}`))
      : naming(place);
  expect(places.filter((place) => !isNamed(place))).toEqual([]);
  const listed = ADDITIONS.filter((each) => each.example === example).flatMap((each) => each.places);
  const unlisted = filesIn(join(ROOT, 'src'))
    .map((file) => `src/${file}`)
    .filter((file) => naming(file) && !listed.some((place) => file.startsWith(place)));
  expect(unlisted).toEqual([]);
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
