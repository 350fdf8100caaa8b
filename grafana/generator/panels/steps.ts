import { ROWS } from '../promql.ts';

/** A step from the results of a table's queries to its columns. The browser computes it, so it costs Prometheus nothing. */
export type Step = { readonly id: string; readonly options: object };

/** Adds a field with the sum of others. A missing value counts as 0. */
export function sum(name: string, fields: readonly string[]): Step {
  const reduce = { reducer: 'sum', include: fields };
  return { id: 'calculateField', options: { mode: 'reduceRow', alias: name, reduce } };
}

function binary(name: string, left: string, operator: '/' | '-', right: string | number): Step {
  const side = (operand: string | number): object =>
    typeof operand === 'number'
      ? { fixed: String(operand) }
      : { matcher: { id: 'byName', options: operand } };
  const options = { left: side(left), operator, right: side(right) };
  return { id: 'calculateField', options: { mode: 'binary', alias: name, binary: options } };
}

/** Adds a field with the difference of two others. */
export const difference = (name: string, left: string, right: string): Step => binary(name, left, '-', right);

/** Sorts rows by a field. Grafana keeps the order of equal ones, so the last of several steps decides first. */
const sortBy = (field: string, desc: boolean): Step => ({
  id: 'sortBy',
  options: { fields: {}, sort: [{ field, desc }] },
});

export const largestFirst = (field: string): Step => sortBy(field, true);

export const smallestFirst = (field: string): Step => sortBy(field, false);

/** Drops results without a series, so that a timeline without any shows its text for no data. */
export const WITH_SERIES: Step = { id: 'filterFieldsByName', options: { include: { pattern: '.*' } } };

/** Keeps as many rows as the variable "Rows" says. */
export const FIRST_ROWS: Step = { id: 'limit', options: { limitField: ROWS } };

/** Adds a field with a quotient, without a value for a division by 0. */
export function ratio(name: string, left: string, right: string | number): readonly Step[] {
  // In Grafana, 0 / 0 is NaN, which is shown and breaks the order of the rows.
  const conversions = [{ targetField: name, destinationType: 'number' }];
  return [binary(name, left, '/', right), { id: 'convertFieldType', options: { fields: {}, conversions } }];
}

/** Groups rows with the same value in a field. The results of other fields get the names of `summed` and `maximum`. */
export function groupBy(field: string, sums: readonly string[], maxima: readonly string[] = []): Step {
  const aggregated = (names: readonly string[], aggregation: string) =>
    names.map((name) => [name, { operation: 'aggregate', aggregations: [aggregation] }] as const);
  const all = [...aggregated(sums, 'sum'), ...aggregated(maxima, 'max')];
  return {
    id: 'groupBy',
    options: { fields: { [field]: { operation: 'groupby', aggregations: [] }, ...Object.fromEntries(all) } },
  };
}

export const summed = (field: string): string => `${field} (sum)`;

export const maximum = (field: string): string => `${field} (max)`;

/** Keeps some fields, in this order. */
export function onlyFields(names: readonly string[]): readonly Step[] {
  const indexByName = Object.fromEntries(names.map((name, index) => [name, index]));
  return [
    { id: 'filterFieldsByName', options: { include: { names } } },
    { id: 'organize', options: { excludeByName: {}, indexByName, renameByName: {} } },
  ];
}
