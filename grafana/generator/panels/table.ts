import {
  FieldTextAlignment,
  TableCellBackgroundDisplayMode,
  TableCellDisplayMode,
  TableCellHeight,
  type TableFieldOptions,
  TableSortByFieldStateBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/table';
import { type Coded, LIMITS, type Limits, type State } from '../palette.ts';
import { placeholder } from '../variables.ts';
import { onlyFields, type Step, smallestFirst, sum } from './steps.ts';
import { letter, mappingsOf, option, type Subject, type Tile, thresholdsOf, tile, wordsFor } from './tile.ts';

/** A column that shows a label, or the value of a query. */
export type Column = {
  readonly title: string;
  /** The label or the field it shows. */
  readonly label?: string;
  /** The query whose value it shows. */
  readonly query?: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  /** Minimum width of a column that uses the remaining width; 150 by default. */
  readonly minWidth?: number;
  /** Texts and colours for its values: the labels of states, or their codes. */
  readonly states?: readonly (State | Coded)[];
  /** Other texts for its values. */
  readonly words?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  /** Shows the title of its link instead of the value. */
  readonly isLink?: boolean;
  /** Fills its cells with their colours. */
  readonly isFilled?: boolean;
  /** Not shown: used by the order of rows, or by links. */
  readonly isHidden?: boolean;
  /** Target of a click. */
  readonly link?: { readonly title: string; readonly url: string };
};

export type TableSubject = Omit<Subject, 'targets' | 'unit'> & {
  readonly columns: readonly Column[];
  /** The column and the order for sorting; by default the order of the steps. */
  readonly sortBy?: readonly [title: string, order: 'ascending' | 'descending'];
  /** The same by columns that may be hidden, the most important last. */
  readonly inOrder?: readonly string[];
  /** It may have more rows than fit, so it can be searched. */
  readonly isList?: boolean;
  /** Queries that only add labels. */
  readonly labelsOf?: readonly string[];
  /** Queries by the names of the fields for their values: numbers, 0 without a value. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Calculated fields. */
  readonly steps?: readonly Step[];
  /** The table whose queries, without its steps, supply these rows. */
  readonly rowsOf?: Tile;
};

/** Placeholder for a field of the same row in the address of a link. */
export const field = (name: string): string => placeholder(`__data.fields.${name}:percentencode`);

/** Address of a dashboard with shared and other variables; without an account in these, that of the reader. */
export function toBoard(name: string, variables: Readonly<Record<string, string>>): string {
  return `/d/hoster-${name}?${[
    ...['datasource', 'job', 'limit', ...('account' in variables ? [] : ['account'])].map((shared) =>
      placeholder(`${shared}:queryparam`),
    ),
    placeholder('__url_time_range'),
    ...Object.entries(variables).map(([variable, value]) => `var-${variable}=${value}`),
  ].join('&')}`;
}

/** Link from a row to the dashboard of its phone. The row must have the labels account and device_id. */
export const TO_PHONE: NonNullable<Column['link']> = {
  title: 'Open this phone',
  url: toBoard('device', { account: field('account'), device_id: field('device_id') }),
};

/** Link from a row to the fleet of its account. The row must have the label account. */
export const TO_ACCOUNT = {
  title: 'Show only this account',
  url: toBoard('fleet', { account: field('account') }),
};

/** Text of a cell without a value. */
const EMPTY = '–';

/** A table of current values: the results of several queries, joined by their labels. */
export function table({
  columns: shown,
  sortBy,
  labelsOf = [],
  inputs = {},
  steps = [],
  inOrder = [],
  rowsOf,
  isList = false,
  ...subject
}: TableSubject): Tile {
  const columns = [...shown, ...hiddenColumns(shown)];
  const values = columns.flatMap(({ query }) => (query === undefined ? [] : [query]));
  const queries = [...values, ...Object.values(inputs), ...labelsOf];
  const nameOf = ({ label, query }: Column): string => label ?? valueField(query, queries);
  const names = columns.map(nameOf);
  const builder = new PanelBuilder()
    .showHeader(true)
    .cellHeight(TableCellHeight.Sm)
    .sortBy(
      sortBy === undefined
        ? []
        : [new TableSortByFieldStateBuilder().displayName(sortBy[0]).desc(sortBy[1] === 'descending')],
    );
  const merged = queries.length > 1 ? [{ id: 'merge', options: {} }] : [];
  const fields = Object.entries(inputs).map(([name, query]) => sum(name, [valueField(query, queries)]));
  const titled = (title: string): readonly Column[] => columns.filter((column) => column.title === title);
  const sorted = inOrder.flatMap(titled).map((column) => smallestFirst(nameOf(column)));
  for (const step of [...merged, ...fields, ...steps, ...sorted, ...onlyFields(names)])
    builder.withTransformation(step);
  for (const column of columns) builder.overrideByName(nameOf(column), cellOf(column, isList));
  const targets = queries.map((expression) => ({ expression }));
  const made = tile(builder, { ...subject, targets }, 'table');
  return rowsOf === undefined ? made : { ...made, rowsOf };
}

/** The labels that only links need. */
function hiddenColumns(columns: readonly Column[]): readonly Column[] {
  const urls = columns.map(({ link }) => link?.url ?? '').join(' ');
  const needed = new Set([...urls.matchAll(/__data\.fields\.(\w+)/g)].map(([, name = '']) => name));
  return [...needed]
    .filter((name) => columns.every(({ label }) => label !== name))
    .map((label) => ({ title: label, label, isHidden: true }));
}

/** The name of the value of a query in Grafana: with its letter if there are several. */
function valueField(query: string | undefined, queries: readonly string[]): string {
  const index = query === undefined ? -1 : queries.indexOf(query);
  return queries.length > 1 ? `Value #${letter(index)}` : 'Value';
}

/** Columns keep the names of their labels, to which links refer, and display another name. */
function cellOf(column: Column, isList: boolean): DynamicConfigValue[] {
  const { title, unit, decimals, width, minWidth, states, words, limits, label, link } = column;
  const { isLink = false, isHidden = false, isFilled = false } = column;
  const cell: DynamicConfigValue[] = [option('displayName', title), option('noValue', EMPTY)];
  if (isHidden) return [...cell, tableOption('hidden', true)];
  if (unit !== undefined) cell.push(option('unit', unit));
  if (decimals !== undefined) cell.push(option('decimals', decimals));
  if (width !== undefined) cell.push(tableOption('width', width));
  if (minWidth !== undefined) cell.push(tableOption('minWidth', minWidth));
  if (states !== undefined)
    cell.push(option('mappings', mappingsOf(states)), tableOption('align', FieldTextAlignment.Left));
  if (words !== undefined) cell.push(option('mappings', wordsFor(words)));
  if (states !== undefined || limits !== undefined) {
    // Also without limits: the default of Grafana has a green base, which colours missing values.
    cell.push(option('thresholds', thresholdsOf(limits ?? LIMITS.none).build()));
    cell.push(
      tableOption(
        'cellOptions',
        isFilled
          ? { type: TableCellDisplayMode.ColorBackground, mode: TableCellBackgroundDisplayMode.Basic }
          : { type: TableCellDisplayMode.ColorText },
      ),
    );
  }
  if (isList && label !== undefined && unit === undefined && !isLink)
    cell.push(tableOption('filterable', true));
  if (isLink) cell.push(tableOption('cellOptions', { type: TableCellDisplayMode.DataLinks }));
  // Not `option`: the SDK confuses links of cells with those of dashboards.
  if (link !== undefined) cell.push({ id: 'links', value: [link] });
  return cell;
}

function tableOption<Name extends keyof TableFieldOptions>(
  name: Name,
  value: NonNullable<TableFieldOptions[Name]>,
): DynamicConfigValue {
  return { id: `custom.${name}`, value };
}
