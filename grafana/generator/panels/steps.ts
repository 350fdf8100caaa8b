/**
 * Steps between the results of the queries of a table and its columns. Grafana computes them in the browser, so derived
 * figures cost Prometheus nothing.
 */
export type Step = { readonly id: string; readonly options: object };

/** Adds a field with the sum of others. A missing value counts as 0. */
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

/** Adds a field that is 0 in each row with a number in another one, for grouping all rows. */
export function constant(name: string, field: string): Step {
  return binary(name, field, '*', 0);
}

/** Adds a field with a quotient, without a value for a division by 0. */
export function ratio(name: string, left: string, right: string | number): readonly Step[] {
  // In Grafana, 0 / 0 is NaN, which is shown and breaks the order of the rows.
  const conversions = [{ targetField: name, destinationType: 'number' }];
  return [binary(name, left, '/', right), { id: 'convertFieldType', options: { fields: {}, conversions } }];
}

/** Groups rows with the same value in a field. The sums of other fields get the names of `summed`. */
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
