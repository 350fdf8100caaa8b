import type { FieldConfig, MatcherConfig, Panel } from '@grafana/schema';
import type * as barchart from '@grafana/schema/dist/esm/raw/composable/barchart/panelcfg/x/BarChartPanelCfg_types.gen';
import type * as bargauge from '@grafana/schema/dist/esm/raw/composable/bargauge/panelcfg/x/BarGaugePanelCfg_types.gen';
import type * as stat from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type * as stateTimeline from '@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen';
import type * as statusHistory from '@grafana/schema/dist/esm/raw/composable/statushistory/panelcfg/x/StatusHistoryPanelCfg_types.gen';
import type * as table from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen';
import type * as timeseries from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/**
 * Kinds of panels that the dashboards have, by the types of Grafana. The compiler reads this file once for each version
 * of Grafana, with the types of that version as `@grafana/schema`.
 */
export type Panels = {
  readonly barchart: PanelOf<barchart.Options, barchart.FieldConfig>;
  readonly bargauge: PanelOf<bargauge.Options, object>;
  readonly stat: PanelOf<stat.Options, object>;
  readonly 'state-timeline': PanelOf<stateTimeline.Options, stateTimeline.FieldConfig>;
  readonly 'status-history': PanelOf<statusHistory.Options, statusHistory.FieldConfig>;
  readonly table: PanelOf<TableOptions, TableField>;
  readonly timeseries: PanelOf<timeseries.Options, timeseries.FieldConfig>;
};

/** Pagination moved out of the footer in Grafana 12.2: the dashboards have both, and each version ignores the other one. */
interface TableOptions extends Omit<table.Options, 'enablePagination' | 'footer'> {
  enablePagination: boolean;
  footer: { enablePagination?: boolean; show: boolean; reducer: string[]; countRows?: boolean };
}

/** It moved in a later Grafana 12, which reads the older place too. */
interface TableField extends table.FieldConfig {
  hidden?: boolean;
}

/** A type as it stands in JSON: texts in place of enums. */
type Json<Type> = Type extends string
  ? `${Type}`
  : Type extends number
    ? Type
    : { [Key in keyof Type]: Json<Type[Key]> };

type Fields = Omit<FieldConfig, 'custom'>;

/** One option of some fields: its name decides the type of its value. */
type Property<Options, Prefix extends string> = {
  [Name in keyof Options & string]-?: { id: `${Prefix}${Name}`; value: Json<Options[Name]> };
}[keyof Options & string];

type PanelOf<Options, Custom> = Json<Omit<Panel, 'options' | 'fieldConfig'>> & {
  readonly options: Json<Partial<Options>>;
  readonly fieldConfig: {
    readonly defaults: Json<Fields> & { readonly custom?: Json<Partial<Custom>> };
    readonly overrides: readonly {
      readonly matcher: Json<MatcherConfig>;
      readonly properties: readonly (Property<Fields, ''> | Property<Custom, 'custom.'>)[];
    }[];
  };
};
