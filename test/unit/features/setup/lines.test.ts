import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { changedLines, ownLines, withItems, withoutLines } from '../../../../src/features/setup/lines.ts';

const OWNER = `# mine
global: { scrape_interval: 30s }
rule_files:
  # of the racks
  - racks.yml
scrape_configs:
- job_name: mine   # without indentation
alerting:
    alert_relabel_configs: []
`;

it('inserts items first, between marks, as the list is indented', () => {
  expect(withItems(OWNER, ['rule_files'], '- ours.yml\n')).toBe(
    OWNER.replace(
      'rule_files:\n',
      'rule_files:\n  # hoster-exporter: begin\n  - ours.yml\n  # hoster-exporter: end\n',
    ),
  );
  expect(withItems(OWNER, ['scrape_configs'], '- job_name: ours\n  scrape_interval: 15s\n')).toBe(
    OWNER.replace(
      'scrape_configs:\n',
      'scrape_configs:\n# hoster-exporter: begin\n- job_name: ours\n  scrape_interval: 15s\n# hoster-exporter: end\n',
    ),
  );
});

it('adds the keys that lack, one below the other', () => {
  expect(withItems(OWNER, ['alerting', 'alertmanagers'], '- a: 1\n')).toBe(
    OWNER.replace(
      'alerting:\n',
      'alerting:\n    # hoster-exporter: begin\n    alertmanagers:\n      - a: 1\n    # hoster-exporter: end\n',
    ),
  );
  expect(withItems('# empty', ['route', 'routes'], '- a: 1')).toBe(
    '# empty\n# hoster-exporter: begin\nroute:\n  routes:\n    - a: 1\n# hoster-exporter: end\n',
  );
  expect(parse(withItems('a:\nb: 1\n', ['a'], '- 2\n') ?? '')).toEqual({ a: [2], b: 1 });
});

it.each([
  'list: []\n',
  'list: [1]\n',
  'list: { a: 1 }\n',
  'list: text\n',
  'list: null\n',
  '{ list: [1] }\n',
  '- 1\n',
  'text\n',
  'list:\n  - 1\n: : [\n',
  'list:\n  - 1\nlist:\n  - 2\n',
])('changes nothing where it would have to write %j anew', (text) => {
  expect(withItems(text, ['list'], '- 1\n')).toBeUndefined();
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, word, fc.nat(99), tie('list'), tie('map')),
  list: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
  map: fc.dictionary(word, tie('any'), { minKeys: 1, maxKeys: 3 }),
}));
const owner = fc.record(
  {
    before: value.any,
    list: value.list,
    deep: fc.record({ other: value.any, list: value.list }, { requiredKeys: [] }),
    after: value.any,
  },
  { requiredKeys: [] },
);

it('adds items to any configuration, and takes out nothing but them', () => {
  const property = fc.property(
    owner,
    fc.constantFrom(1, 2, 3, 6),
    fc.boolean(),
    fc.constantFrom(['list'], ['deep', 'list'], ['absent', 'list']),
    (known, indent, indentSeq, path) => {
      const text = stringify(known, { indent, indentSeq, lineWidth: 0 });
      const fresh = withItems(text, path, '- ours: 1\n  more: [2]\n');
      // An empty map is written in brackets.
      fc.pre(!text.includes('{}'));
      if (fresh === undefined) throw new Error(`no place in:\n${text}`);
      const [key = '', inner] = path;
      const added = parse(fresh);
      const lists = [known, added].map((each) => (inner === undefined ? each : each[key])?.[inner ?? key]);
      expect(lists[1]).toEqual([{ ours: 1, more: [2] }, ...(lists[0] ?? [])]);
      expect(withoutLines(fresh)).toBe(text);
      expect(ownLines(fresh)).toContain('ours: 1');
      expect(withItems(withoutLines(fresh), path, '- ours: 1\n  more: [2]\n')).toBe(fresh);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

it('takes out nothing of an owner who deleted a mark', () => {
  const both =
    withItems(withItems(OWNER, ['scrape_configs'], '- ours: 1\n') ?? '', ['rule_files'], '- ours.yml\n') ??
    '';
  const rules = '  - ours.yml\n  # hoster-exporter: end\n';
  expect(both).toContain(rules);
  const unmarked = both.replace(rules, '  - ours.yml\n');
  const rest = withoutLines(unmarked);
  expect(rest).toContain('- racks.yml');
  expect(rest).not.toContain('ours: 1');
});

it('changes no text that is no UTF-8, because bytes of it would be lost', () => {
  expect(withItems(Buffer.from('# K\xf6ln\na: 1\n', 'latin1').toString(), ['list'], '- 1\n')).toBeUndefined();
});

it('shows what changes, and of the lines around it keys only', () => {
  const owner = 'password: one\r\nlist:\n  - password: two\nlast: password\r\n';
  const first = withItems(owner, ['list'], '- 1') ?? '';
  expect(changedLines(owner, first)).toBe(
    '  list:\n+   # hoster-exporter: begin\n+   - 1\n+   # hoster-exporter: end',
  );
  const second = withItems(withItems(owner, ['list'], '- 2') ?? '', ['more'], '- 3') ?? '';
  const changed = changedLines(first, second);
  expect(changed).toContain('-   - 1\n');
  expect(changed).toContain('+   - 2\n');
  expect(changed).toContain('+ more:\n');
  expect(changed).not.toContain('password');
});
