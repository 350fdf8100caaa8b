import { parser } from '@prometheus-io/lezer-promql';

/** A selector in a query, such as `up{job="hoster"}[5m]`. */
export type Selector = {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** Text between its brackets, if it has any. */
  readonly range: string | undefined;
  /** The functions and aggregations that it stands in, the innermost first. */
  readonly within: readonly string[];
};

export type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

/** Names in a query. */
export type Query = {
  readonly selectors: readonly Selector[];
  /** Labels that it groups or joins by. */
  readonly labels: readonly string[];
  /** Labels that it makes itself. */
  readonly made: readonly string[];
};

/** Functions whose texts are labels, or the values that labels get. */
const LABEL_MAKERS = new Set(['label_replace', 'label_join', 'count_values']);

/** Variables of Grafana where PromQL has a duration or a number, by what stands for them while the query is parsed. */
const STAND_INS: readonly (readonly [variable: string, standIn: string])[] = [
  ['$__rate_interval', '11111ms'],
  ['$__range_s', '44444'],
  ['$__range', '22222ms'],
  ['$__interval', '33333ms'],
  ['$limit', '55555'],
  ['$first', '66666'],
  ['$last', '77777'],
  ['$before', '88888'],
  ['$__from', '99991'],
  ['$__to', '99992'],
];

const read = new Map<string, Query>();

/**
 * Reads what a PromQL expression names, by Prometheus's own grammar. Variables in texts stay as they are. Reads each expression
 * once, since each rule asks for all of them.
 *
 * @throws RangeError for what is no PromQL
 */
export function readQuery(expression: string): Query {
  const query = read.get(expression) ?? parseQuery(expression);
  read.set(expression, query);
  return query;
}

function parseQuery(expression: string): Query {
  const text = STAND_INS.reduce(
    (result, [variable, standIn]) => result.replaceAll(variable, standIn),
    expression,
  );
  const original = (from: number, to: number): string =>
    STAND_INS.reduce(
      (result, [variable, standIn]) => result.replaceAll(standIn, variable),
      text.slice(from, to),
    );
  const selectors: (Selector & { range: string | undefined })[] = [];
  const matchers: Matcher[][] = [];
  const labels: string[] = [];
  const made: string[] = [];
  const open: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, name, from, to, node }) => {
      if (type.isError) throw new RangeError(`no PromQL at "${original(from, text.length)}": ${expression}`);
      const content = original(from, to);
      if (name === 'FunctionIdentifier' || name === 'AggregateOp') {
        open.unshift(content);
      } else if (name === 'VectorSelector') {
        const own: Matcher[] = [];
        matchers.unshift(own);
        const metric = node.getChild('Identifier');
        // One that names no metric asks for all that match.
        if (metric === null) return;
        selectors.push({
          metric: text.slice(metric.from, metric.to),
          matchers: own,
          range: rangeOf(node.parent, original),
          within: [...open],
        });
      } else if (name === 'UnquotedLabelMatcher') {
        const [, label = '', operator = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/s.exec(content) ?? [];
        matchers[0]?.push({ label, operator, value });
      } else if (name === 'StringLiteral' && node.parent?.name === 'FunctionCallBody') {
        if (LABEL_MAKERS.has(open[0] ?? '')) made.push(content.slice(1, -1));
      } else if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') {
        labels.push(content);
      }
    },
    leave: ({ name }) => {
      if (name === 'FunctionCall' || name === 'AggregateExpr') open.shift();
    },
  });
  return { selectors, labels, made };
}

type Node = {
  readonly name: string;
  getChild(name: string): { readonly from: number; readonly to: number } | null;
};

function rangeOf(parent: Node | null, textAt: (from: number, to: number) => string): string | undefined {
  const duration = parent?.name === 'MatrixSelector' ? parent.getChild('DurationExpr') : null;
  return duration === null ? undefined : textAt(duration.from, duration.to);
}
