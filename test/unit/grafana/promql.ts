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
  /** Functions and aggregations. */
  readonly functions: readonly string[];
  /** Labels that it groups or joins by. */
  readonly labels: readonly string[];
  /** Labels that it makes itself. */
  readonly made: readonly string[];
};

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}|\$\w+|[A-Za-z_:][\w:]*|\d[\w.]*|[=!<>]=?|[-+*/%^,()@]/gy;
const MATCHER = /\s*(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*,?/gy;

const GROUPING = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'Inf', 'NaN']);
const LABEL_MAKERS = new Set(['label_replace', 'label_join', 'count_values']);

/**
 * Reads what a PromQL expression names. It is no parser: whether the expression is right, only Prometheus can tell.
 *
 * @throws RangeError where it meets a character that PromQL does not have, or brackets that do not match
 */
export function readQuery(expression: string): Query {
  const tokens = tokensOf(expression);
  const selectors: Selector[] = [];
  const functions: string[] = [];
  const labels: string[] = [];
  const made: string[] = [];
  const open: string[] = [];
  let called = '';
  let grouping = false;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? '';
    if (token === '(') {
      open.unshift(grouping ? 'grouping' : called);
      if (!grouping) called = '';
      grouping = false;
    } else if (token === ')') {
      if (open.shift() === undefined) throw new RangeError(`A bracket too many: ${expression}`);
    } else if (token.startsWith('"')) {
      if (LABEL_MAKERS.has(open[0] ?? '')) made.push(token.slice(1, -1));
    } else if (/^[A-Za-z_:]/.test(token)) {
      if (open[0] === 'grouping') labels.push(token);
      else if (GROUPING.has(token)) grouping = true;
      else if (WORDS.has(token)) continue;
      else if (next === '(' || next === 'by' || next === 'without') {
        called = token;
        functions.push(token);
      } else selectors.push(selectorAt(tokens, index, open));
    }
  }
  if (open.length > 0) throw new RangeError(`A bracket is not closed: ${expression}`);
  return { selectors, functions, labels, made };
}

function tokensOf(expression: string): readonly string[] {
  const tokens = expression.match(TOKEN) ?? [];
  if (tokens.join('').length !== expression.length)
    throw new RangeError(`Not PromQL after "${tokens.join('')}".`);
  return tokens.filter((token) => token.trim() !== '');
}

function selectorAt(tokens: readonly string[], index: number, open: readonly string[]): Selector {
  const [metric = '', second = '', third = ''] = tokens.slice(index, index + 3);
  const hasMatchers = second.startsWith('{');
  const range = hasMatchers ? third : second;
  return {
    metric,
    matchers: hasMatchers ? matchersOf(second) : [],
    range: range.startsWith('[') ? range.slice(1, -1) : undefined,
    within: open.filter((name) => name !== ''),
  };
}

function matchersOf(braces: string): readonly Matcher[] {
  const inside = braces.slice(1, -1);
  const matches = [...inside.matchAll(MATCHER)];
  if (matches.map(([text]) => text).join('').length !== inside.length)
    throw new RangeError(`Not matchers: ${braces}`);
  return matches.map(([, label = '', operator = '', value = '']) => ({ label, operator, value }));
}
