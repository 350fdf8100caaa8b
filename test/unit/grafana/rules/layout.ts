import { defaultDashboard } from '@grafana/schema';
import { type Board, type Panel, panelsOf } from '../board.ts';
import { type Rule, repeated, unless } from './rule.ts';

const COLUMNS = 24;

function overlap({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean {
  const across = one.x < other.x + other.w && other.x < one.x + one.w;
  return across && one.y < other.y + other.h && other.y < one.y + one.h;
}

/** The panels that are seen together; Grafana moves the rest of the dashboard down when a row is opened. */
function planesOf({ dashboard }: Board): readonly (readonly Panel[])[] {
  return [dashboard.panels, ...dashboard.panels.map(({ panels = [] }) => panels)];
}

/** Rules for the layout and the identity of a dashboard. */
export const LAYOUT_RULES: readonly Rule[] = [
  {
    name: 'panels have ids of their own',
    breaches: ({ dashboard }) => {
      const ids = dashboard.panels.flatMap(({ id, panels = [] }) => [id, ...panels.map((panel) => panel.id)]);
      return [...repeated(ids), ...ids.filter((id) => id === undefined || id < 1)].map(String);
    },
  },
  {
    name: 'panels lie inside the 24 columns and not on each other',
    breaches: (board) =>
      planesOf(board).flatMap((plane) =>
        plane.flatMap((panel, index) => {
          const { x, w, h } = panel.gridPos;
          const others = plane.slice(index + 1).filter((other) => overlap(panel, other));
          return [
            ...unless(x >= 0 && w > 0 && h > 0 && x + w <= COLUMNS, `${panel.title}: x ${x}, w ${w}, h ${h}`),
            ...others.map(({ title }) => `${panel.title} on ${title}`),
          ];
        }),
      ),
  },
  {
    name: 'queries of a panel have letters of their own',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title, targets = [] }) =>
        repeated(targets.map(({ refId }) => refId)).map((refId) => `${title}: ${refId}`),
      ),
  },
  {
    name: 'the uid is fixed, follows the name of the file and is no longer than 40 characters',
    breaches: ({ file, dashboard: { uid = '' } }) =>
      unless(uid === `hoster-${file.replace('.json', '')}` && uid.length <= 40, uid),
  },
  {
    name: 'the tag by which the dashboards link to each other is there',
    breaches: ({ dashboard }) => unless(dashboard.tags?.includes('hoster-exporter') === true, 'no tag'),
  },
  {
    name: 'nothing is asked at import, so that the same file can be provisioned',
    breaches: ({ text }) => unless(!/"__(inputs|requires)"|DS_[A-Z]/.test(text), '__inputs'),
  },
  {
    // Grafana migrates an older version with each load, and draws a newer one without complaint.
    name: 'the version of the schema is that of the newest Grafana that the stack names',
    breaches: ({ dashboard }) =>
      unless(dashboard.schemaVersion === defaultDashboard.schemaVersion, String(dashboard.schemaVersion)),
  },
  {
    name: 'it refreshes every minute, unless it opens at a time that is over',
    breaches: ({ dashboard: { refresh, time } }) =>
      unless(refresh === (time.to === 'now' ? '1m' : ''), `${refresh} to ${time.to}`),
  },
];
