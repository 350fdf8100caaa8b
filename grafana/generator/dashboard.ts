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
import { INCIDENT_SINCE, ofAccount, per } from './promql.ts';
import { account, DATASOURCE, datasource, job } from './variables.ts';

const TAG = 'hoster-exporter';

/** The parts of one dashboard besides the shared ones. */
export type Board = {
  /** Name of its file, and with the prefix `hoster-` its uid. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Default time range, until now by default. */
  readonly from: string;
  readonly to?: string;
  /** It shows a past time, without refresh and alerts. */
  readonly isReport?: boolean;
  /** Variables besides data source, job and account. */
  readonly variables: readonly { readonly build: () => VariableModel }[];
  /** Matchers of the incidents in the graphs. */
  readonly incidents?: readonly string[];
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
    .annotations(board.isReport === true ? [] : [...incidentLayers(board), maintenanceRegions()]);
  for (const variable of [datasource(), job(), account(), ...board.variables]) {
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

/** Incidents of an account or of several phones, and those of one phone. */
function incidentLayers({ incidents }: Board): AnnotationQueryBuilder[] {
  return incidents === undefined
    ? [
        incidentRegions('Incidents', true, ['device_id=""']).hide(true),
        incidentRegions('Incidents of one phone', false, ['device_id!=""']),
      ]
    : [incidentRegions('Incidents', true, incidents).hide(true)];
}

/** Shades the time of maintenance. */
function maintenanceRegions(): AnnotationQueryBuilder {
  return regions('Maintenance', per('account,maintenance', ofAccount('hoster_maintenance_devices')))
    .iconColor(COLOURS.own)
    .hide(true)
    .titleFormat('In maintenance')
    .textFormat('{{maintenance}}')
    .tagKeys('maintenance');
}

/** Shades the time of incidents. */
function incidentRegions(name: string, isOn: boolean, matchers: readonly string[]): AnnotationQueryBuilder {
  const since = ofAccount(INCIDENT_SINCE, ...matchers);
  return regions(name, per('problem,kind,value', since))
    .enable(isOn)
    .iconColor(COLOURS.bad)
    .titleFormat('{{problem}}')
    .textFormat('{{kind}} {{value}}')
    .tagKeys('problem');
}

/** Shades the time of a query in every graph. A layer that is off can be turned on at the top. */
function regions(name: string, expression: string): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name(name)
    .datasource(DATASOURCE)
    .enable(true)
    .expr(expression)
    .step('60s');
}
