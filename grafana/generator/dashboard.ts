import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { layOut, type Row } from './layout.ts';
import { COLOURS } from './palette.ts';
import { firingAlerts } from './promql.ts';
import { account, DATASOURCE, datasource, instance, job } from './variables.ts';

const TAG = 'hoster-exporter';

/** The parts of one dashboard, beside those that all share. */
export type Board = {
  /** Also the name of its file, and `hoster-` before it its uid. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The time range at first; to now, if not said. */
  readonly from: string;
  readonly to?: string;
  /** Of a past time: neither refreshed nor with the alerts of graphs, since it has none. */
  readonly isReport?: boolean;
  /** Variables beside data source, job, instance and account. */
  readonly variables: readonly { readonly build: () => VariableModel }[];
  /** Matchers that the alerts drawn into the graphs must meet. */
  readonly alerts?: readonly string[];
  readonly rows: readonly Row[];
};

export function dashboardOf(board: Board): Dashboard {
  const builder = new DashboardBuilder(board.title)
    .uid(`hoster-${board.name}`)
    .description(board.description)
    .tags([TAG])
    .timezone('browser')
    .readonly()
    .refresh(board.isReport === true ? '' : '1m')
    .time({ from: board.from, to: board.to ?? 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .link(otherDashboards())
    .annotations(board.isReport === true ? [] : alertLayers(board));
  for (const variable of [datasource(), job(), instance(), account(), ...board.variables]) {
    builder.withVariable(variable);
  }
  return { ...builder.build(), panels: layOut(board.rows) };
}

function otherDashboards(): DashboardLinkBuilder {
  return new DashboardLinkBuilder('Hoster dashboards')
    .type(DashboardLinkType.Dashboards)
    .tags([TAG])
    .asDropdown(true)
    .includeVars(true)
    .keepTime(true);
}

function alertLayers({ alerts }: Board): AnnotationQueryBuilder[] {
  const critical = ['severity="critical"', ...(alerts ?? ['scope=~"exporter|account|api|fleet"'])];
  return [
    alertRegions('Critical alerts', true, critical),
    alertRegions('Warnings', false, ['severity="warning"', ...(alerts ?? [])]),
  ];
}

/** Shades the time for which alerts fired, in every graph; a layer that is off can be switched on at the top. */
function alertRegions(name: string, isOn: boolean, matchers: readonly string[]): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(DATASOURCE)
    .enable(isOn)
    .iconColor(COLOURS.bad)
    .expr(`count by (alertname, severity) (${firingAlerts(...matchers)})`)
    .titleFormat('{{alertname}}')
    .textFormat('{{severity}}')
    .tagKeys('alertname,severity')
    .step('60s');
}
