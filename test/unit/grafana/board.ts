import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Query, readQuery } from './promql.ts';

const DIRECTORY = join(import.meta.dirname, '../../../grafana/dashboards');

type DataSource = { readonly type?: string; readonly uid?: string };

export type Target = {
  readonly refId: string;
  /** None: it shows the rows of another panel. */
  readonly expr?: string;
  /** The panel whose rows it shows. */
  readonly panelId?: number;
  readonly legendFormat?: string;
  /** True: asked for one instant, not for a time. */
  readonly instant?: boolean;
  readonly datasource?: DataSource;
};

type Property = { readonly id: string; readonly value?: unknown };

export type Panel = {
  readonly id?: number;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly datasource?: DataSource;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
  /** The shortest step of its queries. */
  readonly interval?: string;
  readonly panels?: readonly Panel[];
  readonly options?: { readonly sortBy?: readonly unknown[] };
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: Readonly<Record<string, unknown>>;
  }[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly noValue?: string;
      readonly mappings?: readonly unknown[];
    };
    readonly overrides: readonly {
      readonly matcher: { readonly options?: unknown };
      readonly properties: readonly Property[];
    }[];
  };
};

export type Variable = {
  readonly type: string;
  readonly name: string;
  readonly label?: string;
  readonly query?: string;
  readonly regex?: string;
  /** 2 hides it. */
  readonly hide?: number;
  readonly datasource?: DataSource;
  readonly multi?: boolean;
  readonly allValue?: string;
  readonly refresh?: number;
  readonly current?: { readonly value?: unknown };
};

/** Parts of a dashboard that the rules check. */
export type Dashboard = {
  readonly uid?: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly editable?: boolean;
  readonly refresh?: string;
  readonly schemaVersion?: number;
  /** The time range at first. */
  readonly time: { readonly from: string; readonly to: string };
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: {
    readonly list: readonly {
      readonly name: string;
      readonly expr: string;
      readonly datasource?: DataSource;
    }[];
  };
};

/** A committed dashboard, and the text of its file. */
export type Board = { readonly file: string; readonly text: string; readonly dashboard: Dashboard };

export const BOARDS: readonly Board[] = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.json'))
  .map((file) => boardOf(file, readFileSync(join(DIRECTORY, file), 'utf8')));

export function boardOf(file: string, text: string): Board {
  const dashboard: Dashboard = JSON.parse(text);
  return { file, text, dashboard };
}

/** Panels, those in collapsed rows too, without the rows. */
export function panelsOf({ dashboard }: Board): readonly Panel[] {
  return dashboard.panels.flatMap((panel) => (panel.type === 'row' ? (panel.panels ?? []) : [panel]));
}

/** The PromQL of a panel. */
export function expressionsOf({ targets = [] }: Panel): readonly string[] {
  return targets.flatMap(({ expr }) => (expr === undefined ? [] : [expr]));
}

/** A query of a dashboard, where it stands, and what it names. */
export type Asked = {
  readonly place: string;
  readonly expression: string;
  readonly query: Query;
  readonly target: Target | undefined;
};

/** The queries of all panels. */
export function targetsOf(board: Board): readonly Asked[] {
  return panelsOf(board).flatMap((panel) =>
    (panel.targets ?? []).flatMap((target) =>
      target.expr === undefined
        ? []
        : [
            {
              place: `${panel.title} ${target.refId}`,
              expression: target.expr,
              query: readQuery(target.expr),
              target,
            },
          ],
    ),
  );
}

/** The queries of panels, annotations and variables. */
export function queriesOf(board: Board): readonly Asked[] {
  const { annotations, templating } = board.dashboard;
  return [
    ...targetsOf(board),
    ...annotations.list.map(({ expr }) => asked('annotation', expr)),
    ...templating.list
      .filter(({ type }) => type === 'query')
      .map(({ name, query }) => asked(`variable ${name}`, argumentOf(query ?? ''))),
  ];
}

/** The metric or query that a `label_values` or `query_result` is about. */
export function argumentOf(query: string): string {
  return /^label_values\((.+), \w+\)$/.exec(query)?.[1] ?? /^query_result\((.+)\)$/.exec(query)?.[1] ?? '';
}

function asked(place: string, expression: string): Asked {
  return { place, expression, query: readQuery(expression), target: undefined };
}
