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
  /** The least width of a column that takes what the others leave; 150 by default. */
  readonly minWidth?: number;
  /** The value is the code of one of these. */
  readonly states?: readonly State[];
  /** Other words for its texts. */
  readonly words?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
  /** Shows the title of its link in place of the value, and nothing where there is no value. */
  readonly isLink?: boolean;
  /** Only links of other columns need it. */
  readonly isHidden?: boolean;
  /** Where a click leads. */
  readonly link?: { readonly title: string; readonly url: string };
};

export type TableSubject = Omit<Subject, 'targets' | 'unit'> & {
  readonly columns: readonly Column[];
  /** The title of the column that the rows are sorted by, and how; without it they keep the order of the steps. */
  readonly sortBy?: readonly [title: string, order: 'ascending' | 'descending'];
  /** The column that decides among equals. */
  readonly thenBy?: readonly [title: string, order: 'ascending' | 'descending'];
  /** May have more rows than fit: its texts can be searched. */
  readonly isList?: boolean;
  /** Queries that bring labels only. */
  readonly labelsOf?: readonly Target[];
  /** Queries by the names of the fields that their values become: numbers, 0 where a query has nothing of a row. */
  readonly inputs?: Readonly<Record<string, Target>>;
  /** What is calculated from the fields. */
  readonly steps?: readonly Step[];
  /** The table whose queries, without its steps, these rows are made of. */
  readonly rowsOf?: Tile;
};

/** Text of a field of the same row, for the address of a link. */
function field(name: string): string {
  return placeholder(`__data.fields.${name}:percentencode`);
}

/** Address of a dashboard, with the variables that it shares with this one, and with others. */
function toBoard(name: string, variables: Readonly<Record<string, string>>): string {
  return `/d/hoster-${name}?${[
    ...['datasource', 'job', 'instance', 'limit'].map((shared) => placeholder(`${shared}:queryparam`)),
    placeholder('__url_time_range'),
    ...Object.entries(variables).map(([variable, value]) => `var-${variable}=${value}`),
  ].join('&')}`;
}

/**
 * The way from a row to the dashboard of its phone, or to the one that says why a phone is unknown. The row must have the
 * labels board, account and device_id.
 */
export const TO_PHONE: NonNullable<Column['link']> = {
  title: 'Open this phone',
  url: toBoard(field('board'), { account: field('account'), device_id: field('device_id') }),
};

/**
 * The way from an alert to the dashboard of its subject. The row must have the labels board, of (an account, or all), only
 * (a cause, or all) and, if it is about a phone, device_id.
 */
export const TO_SUBJECT: NonNullable<Column['link']> = {
  title: 'Open its dashboard',
  url: toBoard(field('board'), { account: field('of'), device_id: field('device_id'), only: field('only') }),
};

/** The way from a common cause to its phones; the row must have the labels account and cause. */
export const TO_PHONES_OF_CAUSE: NonNullable<Column['link']> = {
  title: 'Show its phones',
  url: toBoard('fleet', { account: field('account'), only: field('cause') }),
};

/** The way from a row to the fleet of its account; the row must have the label account. */
export const TO_ACCOUNT = {
  title: 'Show this account alone',
  url: toBoard('fleet', { account: field('account') }),
};

/** Where a cell has nothing to say. */
const EMPTY = '–';

/** Rows of now: the results of several queries, joined where they have the same labels. */
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

/** The labels that links need and that no column shows. */
function hiddenColumns(columns: readonly Column[]): readonly Column[] {
  const urls = columns.map(({ link }) => link?.url ?? '').join(' ');
  const needed = new Set([...urls.matchAll(/__data\.fields\.(\w+)/g)].map(([, name = '']) => name));
  return [...needed]
    .filter((name) => columns.every(({ label }) => label !== name))
    .map((label) => ({ title: label, label, isHidden: true }));
}

/** Grafana's name for the value of a query: with its letter where there are several. */
function valueField(target: Target | undefined, targets: readonly Target[]): string {
  const index = target === undefined ? -1 : targets.indexOf(target);
  return targets.length > 1 ? `Value #${letter(index)}` : 'Value';
}

/** Columns keep the names of their labels, since links refer to those, and only display another. */
function cellOf(column: Column, isList: boolean): DynamicConfigValue[] {
  const { title, unit, decimals, width, minWidth, states, words, limits, label, link } = column;
  const { isLink = false, isHidden = false } = column;
  if (isHidden) return [tableOption('hidden', true)];
  const cell: DynamicConfigValue[] = [option('displayName', title), option('noValue', EMPTY)];
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
    // Without limits too: Grafana's own have a green base, and a missing value takes the colour of the base.
    cell.push(option('thresholds', thresholdsOf(limits ?? LIMITS.none).build()));
    cell.push(tableOption('cellOptions', { type: TableCellDisplayMode.ColorText }));
  }
  if (isList && label !== undefined && unit === undefined && !isLink)
    cell.push(tableOption('filterable', true));
  if (isLink) cell.push(tableOption('cellOptions', { type: TableCellDisplayMode.DataLinks }));
  // Not `option`: the SDK takes links of cells for those of dashboards.
  if (link !== undefined) cell.push({ id: 'links', value: [link] });
  return cell;
}

function tableOption<Name extends keyof TableFieldOptions>(
  name: Name,
  value: NonNullable<TableFieldOptions[Name]>,
): DynamicConfigValue {
  return { id: `custom.${name}`, value };
}
