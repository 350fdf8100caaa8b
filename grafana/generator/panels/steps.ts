/**
 * Steps of a table between the results of its queries and its columns. Grafana makes them in the browser, so figures that
 * follow from others cost Prometheus nothing.
 */
export type Step = { readonly id: string; readonly options: object };

/** Adds a field that is the sum of others. What is missing counts as 0. */
export function sum(name: string, fields: readonly string[]): Step {
  const reduce = { reducer: 'sum', include: fields };
  return { id: 'calculateField', options: { mode: 'reduceRow', alias: name, reduce } };
}

function binary(name: string, left: string, operator: '*' | '/', right: string | number): Step {
  const side = (operand: string | number): object =>
    typeof operand === 'number'
      ? { fixed: String(operand) }
      : { matcher: { id: 'byName', options: operand } };
  const options = { left: side(left), operator, right: side(right) };
  return { id: 'calculateField', options: { mode: 'binary', alias: name, binary: options } };
}

/** Adds a field that is 0 in each row that has a number in another: what all rows can be grouped by. */
export function constant(name: string, field: string): Step {
  return binary(name, field, '*', 0);
}

/** Adds a field that is one divided by another or by a number. By 0 it has no value. */
export function ratio(name: string, left: string, right: string | number): readonly Step[] {
  // In Grafana, 0 / 0 is NaN, which is shown as such and breaks the order of the rows.
  const conversions = [{ targetField: name, destinationType: 'number' }];
  return [binary(name, left, '/', right), { id: 'convertFieldType', options: { fields: {}, conversions } }];
}

/** Makes one row of all that have the same value in a field. The others get the names of `summed`. */
export function groupBy(field: string, sums: readonly string[]): Step {
  const aggregate = (aggregation: string): object => ({
    operation: 'aggregate',
    aggregations: [aggregation],
  });
  const fields = {
    [field]: { operation: 'groupby', aggregations: [] },
    ...Object.fromEntries(sums.map((name) => [name, aggregate('sum')])),
  };
  return { id: 'groupBy', options: { fields } };
}

/** Name of the sums of a field, after `groupBy`. */
export function summed(field: string): string {
  return `${field} (sum)`;
}

/** Keeps some fields, in this order. */
export function onlyFields(names: readonly string[]): readonly Step[] {
  const indexByName = Object.fromEntries(names.map((name, index) => [name, index]));
  return [
    { id: 'filterFieldsByName', options: { include: { names } } },
    { id: 'organize', options: { excludeByName: {}, indexByName, renameByName: {} } },
  ];
}
