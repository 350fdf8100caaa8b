import {
  FieldTextAlignment,
  TableCellDisplayMode,
  TableCellHeight,
  type TableFieldOptions,
  TableSortByFieldStateBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/table';
import { LIMITS, type Limits, orGrey, type State } from '../palette.ts';
import { placeholder } from '../variables.ts';
import { onlyFields, type Step, sum } from './steps.ts';
import {
  letter,
  mappingsOf,
  option,
  type Subject,
  type Target,
  type Tile,
  thresholdsOf,
  tile,
  wordsFor,
} from './tile.ts';

/** A column that shows a label, or the value of a query. */
export type Column = {
  readonly title: string;
  /** The label or the field it shows. */
  readonly label?: string;
  /** The query whose value it shows. */
  readonly target?: Target;
  readonly unit?: string;
  readonly decimals?: number;
  readonly width?: number;
  /** Minimum width of a column that uses the remaining width; 150 by default. */
  readonly minWidth?: number;
  /** States for the codes in the value. */
  readonly states?: readonly State[];
  /** Other texts for its values. */
  readonly words?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  /** Text of a cell without a value. */
  readonly empty?: string;
  /** Shows the title of its link instead of the value. */
  readonly isLink?: boolean;
  /** Used only by links of other columns. */
  readonly isHidden?: boolean;
  /** Target of a click. */
  readonly link?: { readonly title: string; readonly url: string };
};

export type TableSubject = Omit<Subject, 'targets' | 'unit'> & {
  readonly columns: readonly Column[];
  /** The column and the order for sorting; by default the order of the steps. */
  readonly sortBy?: readonly [title: string, order: 'ascending' | 'descending'];
  /** The second column for sorting. */
  readonly thenBy?: readonly [title: string, order: 'ascending' | 'descending'];
  /** It may have more rows than fit, so it can be searched. */
  readonly isList?: boolean;
  /** Queries that only add labels. */
  readonly labelsOf?: readonly Target[];
  /** Queries by the names of the fields for their values: numbers, 0 without a value. */
  readonly inputs?: Readonly<Record<string, Target>>;
  /** Calculated fields. */
  readonly steps?: readonly Step[];
  /** The table whose queries, without its steps, supply these rows. */
  readonly rowsOf?: Tile;
};

/** Placeholder for a field of the same row in the address of a link. */
function field(name: string): string {
  return placeholder(`__data.fields.${name}:percentencode`);
}

/** Placeholder for a label of the series of a value in the address of a link. */
export function seriesLabel(name: string): string {
  return placeholder(`__field.labels.${name}:percentencode`);
}

/** Address of a dashboard with shared and other variables; without an account in these, that of the reader. */
export function toBoard(name: string, variables: Readonly<Record<string, string>>): string {
  return `/d/hoster-${name}?${[
    ...['datasource', 'job', 'instance', 'limit', ...('account' in variables ? [] : ['account'])].map(
      (shared) => placeholder(`${shared}:queryparam`),
    ),
    placeholder('__url_time_range'),
    ...Object.entries(variables).map(([variable, value]) => `var-${variable}=${value}`),
  ].join('&')}`;
}

/**
 * Link from a row to the dashboard of its phone, or to the one that explains why a phone is unknown. The row must have the
 * labels board, account and device_id.
 */
export const TO_PHONE: NonNullable<Column['link']> = {
  title: 'Open this phone',
  url: toBoard(field('board'), { account: field('account'), device_id: field('device_id') }),
};

/**
 * Link from an alert to the dashboard of its subject. The row must have the labels board, of (an account, or all), only (a
 * cause, or all) and, for a phone, device_id.
 */
export const TO_SUBJECT: NonNullable<Column['link']> = {
  title: 'Open its dashboard',
  url: toBoard(field('board'), { account: field('of'), device_id: field('device_id'), only: field('only') }),
};

/** Link from a common cause to its phones. The row must have the labels account and cause. */
export const TO_PHONES_OF_CAUSE: NonNullable<Column['link']> = {
  title: 'Show its phones',
  url: toBoard('fleet', { account: field('account'), only: field('cause') }),
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
  thenBy,
  labelsOf = [],
  inputs = {},
  steps = [],
  rowsOf,
  isList = false,
  ...subject
}: TableSubject): Tile {
  const columns = [...shown, ...hiddenColumns(shown)];
  const values = columns.flatMap(({ target }) => (target === undefined ? [] : [target]));
  const targets = [...values, ...Object.values(inputs), ...labelsOf];
  const nameOf = ({ label, target }: Column): string => label ?? valueField(target, targets);
  const names = columns.map(nameOf);
  const builder = new PanelBuilder()
    .showHeader(true)
    .cellHeight(TableCellHeight.Sm)
    .sortBy(
      [sortBy, thenBy]
        .flatMap((by) => (by === undefined ? [] : [by]))
        .map(([title, order]) =>
          new TableSortByFieldStateBuilder().displayName(title).desc(order === 'descending'),
        ),
    );
  const merged = targets.length > 1 ? [{ id: 'merge', options: {} }] : [];
  const fields = Object.entries(inputs).map(([name, target]) => sum(name, [valueField(target, targets)]));
  for (const step of [...merged, ...fields, ...steps, ...onlyFields(names)]) builder.withTransformation(step);
  for (const column of columns) builder.overrideByName(nameOf(column), cellOf(column, isList));
  const made = {
    ...tile(builder, { ...subject, unit: 'none', targets }, 'table'),
    inputs: [...merged, ...fields],
  };
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
function valueField(target: Target | undefined, targets: readonly Target[]): string {
  const index = target === undefined ? -1 : targets.indexOf(target);
  return targets.length > 1 ? `Value #${letter(index)}` : 'Value';
}

/** Columns keep the names of their labels, to which links refer, and display another name. */
function cellOf(column: Column, isList: boolean): DynamicConfigValue[] {
  const { title, unit, decimals, width, minWidth, states, words, limits, label, link } = column;
  const { isLink = false, isHidden = false, empty = EMPTY } = column;
  if (isHidden) return [tableOption('hidden', true)];
  const cell: DynamicConfigValue[] = [option('displayName', title), option('noValue', empty)];
  if (unit !== undefined) cell.push(option('unit', unit));
  if (decimals !== undefined) cell.push(option('decimals', decimals));
  if (width !== undefined) cell.push(tableOption('width', width));
  if (minWidth !== undefined) cell.push(tableOption('minWidth', minWidth));
  if (states !== undefined) {
    cell.push(option('mappings', mappingsOf(orGrey(states))));
    if (unit === undefined) cell.push(tableOption('align', FieldTextAlignment.Left));
  }
  if (words !== undefined) cell.push(option('mappings', wordsFor(words)));
  if (states !== undefined || limits !== undefined) {
    // Also without limits: the default of Grafana has a green base, which colours missing values.
    cell.push(option('thresholds', thresholdsOf(limits ?? LIMITS.none).build()));
    cell.push(tableOption('cellOptions', { type: TableCellDisplayMode.ColorText }));
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
