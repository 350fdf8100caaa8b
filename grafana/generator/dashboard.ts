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
  /** The time range at first, back from now. */
  readonly from: string;
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
    .refresh('1m')
    .time({ from: board.from, to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .link(otherDashboards())
    .annotation(
      alertRegions('Critical alerts', true, [
        'severity="critical"',
        ...(board.alerts ?? ['scope=~"exporter|account|api|fleet"']),
      ]),
    )
    .annotation(alertRegions('Warnings', false, ['severity="warning"', ...(board.alerts ?? [])]));
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
