import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { deviceBoard } from './boards/device.ts';
import { exporterBoard } from './boards/exporter.ts';
import { fleetBoard } from './boards/fleet.ts';
import { moneyBoard } from './boards/money.ts';
import { monthBoard } from './boards/month.ts';
import { tunnelsBoard } from './boards/tunnels.ts';
import { dashboardOf } from './dashboard.ts';

const BOARDS = [fleetBoard, deviceBoard, tunnelsBoard, moneyBoard, monthBoard, exporterBoard];

/** Every dashboard under the name of its file in `grafana/dashboards`. */
export const dashboards: ReadonlyMap<string, Dashboard> = new Map(
  BOARDS.map((board) => [board.name, dashboardOf(board)]),
);
