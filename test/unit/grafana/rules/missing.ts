import { panelsOf, queriesOf, targetsOf } from '../board.ts';
import { type Rule, unless } from './rule.ts';

/** The parts of a calculation that name fields. */
type Calculation = {
  readonly mode?: string;
  readonly alias?: string;
  readonly binary?: Readonly<Record<'left' | 'right', { readonly matcher?: { readonly options: string } }>>;
};

/** Rules about what Grafana shows when a series, a field or a label is missing. */
export const MISSING_RULES: readonly Rule[] = [
  {
    // With a missing field, Grafana adds no field at all. The sum of a missing field is 0.
    name: 'calculations from two fields use fields that an earlier step always adds',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title, transformations = [] }) => {
        const added = new Set<string | undefined>();
        return transformations.flatMap(({ id, options }) => {
          if (id === 'groupBy') for (const name of [...added]) added.add(`${name} (sum)`);
          if (id !== 'calculateField') return [];
          const { alias, binary }: Calculation = options;
          const used = [binary?.left, binary?.right].flatMap((side) => side?.matcher?.options ?? []);
          const missing = used.filter((name) => !added.has(name));
          added.add(alias);
          return missing.map((name) => `${title}: ${alias} of ${name}`);
        });
      }),
  },
  {
    // Of a result without fields, Grafana says that it has no time field.
    name: 'timelines drop results without a series, so that they say what no data means',
    breaches: (board) =>
      panelsOf(board)
        .filter(({ type }) => type === 'state-timeline')
        .flatMap(({ title = '', transformations = [] }) =>
          unless(JSON.stringify(transformations).includes('{"include":{"pattern":".*"}}'), title),
        ),
  },
  {
    name: 'panels that show names only have a name for no data',
    breaches: (board) =>
      panelsOf(board)
        .filter((panel) => JSON.stringify(panel).includes('"textMode":"name"'))
        .flatMap(({ title = '', targets = [] }) =>
          unless(
            targets.some(({ expr = '' }) => expr.startsWith('absent(')),
            title,
          ),
        ),
  },
  {
    name: 'names of series have a word besides the currency, which may be missing',
    breaches: (board) =>
      targetsOf(board).flatMap(({ place, target }) => unless(target?.legendFormat !== '{{currency}}', place)),
  },
  {
    name: 'selectors of what has no phone filter by account',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, expression }) =>
        [...expression.matchAll(/\{[^}]*device_id=""[^}]*\}/g)].flatMap(([selector]) =>
          unless(/account=~"\$account"|incident=~"\$open"/.test(selector), `${place}: ${selector}`),
        ),
      ),
  },
];
