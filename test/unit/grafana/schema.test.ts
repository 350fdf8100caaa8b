import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../rules/shipped.ts';
import { BOARDS, boardOf, panelsOf } from './board.ts';
import { errorsOf } from './schema/compile.ts';

/**
 * Grafana's types of panels in the newest and the oldest version that the stack names, and in the one that its Debian
 * package has, which was not looked at; by their names in package.json.
 */
const NEWEST = '@grafana/schema';
const OLDEST = 'grafana-schema-oldest';
const NEXT = 'grafana-schema-next';

/** What to write where in a dashboard, so that Grafana would ignore or misread it. */
const MISTAKES: Readonly<Record<string, readonly [file: string, search: string, replacement: string]>> = {
  anUnknownOption: ['fleet.json', '"graphMode": "none"', '"graphmode": "none"'],
  anUnknownValue: ['fleet.json', '"colorMode": "value"', '"colorMode": "values"'],
  aTextForANumber: ['fleet.json', '"decimals": 0', '"decimals": "0"'],
  anUnknownDefault: ['money.json', '"noValue":', '"nullText":'],
  anUnknownColourMode: ['money.json', '"mode": "palette-classic"', '"mode": "classic"'],
  anUnknownDrawStyle: ['money.json', '"drawStyle": "bars"', '"drawStyle": "bar"'],
  anUnknownOptionOfGraphs: ['money.json', '"fillOpacity": ', '"fillOpaqueness": '],
  aTextForAThreshold: ['fleet.json', '"value": 1,', '"value": "1",'],
  aMappingWithoutItsOptions: ['device.json', '"type": "value"', '"type": "range"'],
  anUnknownOptionOfAColumn: ['tunnels.json', '"id": "custom.width"', '"id": "custom.breadth"'],
  aTextForAWidth: ['tunnels.json', '"value": 88', '"value": "88"'],
  anUnknownOverride: ['tunnels.json', '"id": "displayName"', '"id": "title"'],
  anUnknownKindOfCell: ['tunnels.json', '"type": "color-text"', '"type": "coloured-text"'],
  anUnknownOptionOfTimelines: ['exporter.json', '"mergeValues": true', '"merge": true'],
  anUnknownOptionOfBars: ['fleet.json', '"displayMode": "basic"', '"displayMode": "flat"'],
};

const PANELS = Object.fromEntries(BOARDS.map((board) => [board.file.replace('.json', ''), panelsOf(board)]));

/** The panels that each mistake changes. */
const BROKEN = Object.fromEntries(
  Object.entries(MISTAKES).map(([name, [file, search, replacement]]) => {
    const { text } = BOARDS.find((board) => board.file === file) ?? { text: '' };
    const whole = panelsOf(boardOf(file, text)).map((panel) => JSON.stringify(panel));
    const broken = panelsOf(boardOf(file, text.replace(search, replacement)));
    return [name, broken.filter((panel) => !whole.includes(JSON.stringify(panel)))];
  }),
);

/** The minor version of Grafana, such as 12.4, from the first group of a pattern. */
function minorIn(file: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1] ?? `no ${pattern} in ${file}`;
}

const IN_STACK = {
  [NEWEST]: minorIn('compose.yaml', /image: docker\.io\/grafana\/grafana:(\d+\.\d+)\./),
  [OLDEST]: minorIn('docs/STACK.md', /^\| Grafana \|.*\| (\d+\.\d+) \|$/m),
  [NEXT]: '13.2',
} as const;

describe.each([NEWEST, OLDEST, NEXT] as const)('the panels, by the types of %s', (name) => {
  let errors: readonly string[] = [];
  const errorsIn = (modules: object) =>
    errors.filter((error) => Object.keys(modules).includes(error.split(':')[0] ?? ''));

  beforeAll(async () => {
    errors = await errorsOf({ ...PANELS, ...BROKEN }, name);
  });

  it('are checked against a version of Grafana that the stack names', () => {
    expect(minorIn(`node_modules/${name}/package.json`, /"version": "(\d+\.\d+)\./)).toBe(IN_STACK[name]);
  });

  it('have only options and values that Grafana accepts', () => {
    expect(errorsIn(PANELS)).toEqual([]);
  });

  it('fail the check with each mistake that is made in them, and for nothing else', () => {
    expect([...new Set(errors.map((error) => error.split(':')[0]))].sort()).toEqual(
      Object.keys(MISTAKES).sort(),
    );
  });
});
