import type { Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { Tile } from './panels/tile.ts';

/** Panels under a heading, or without one at the top of a dashboard. A collapsed row sends no queries until it is opened. */
export type Row = { readonly title?: string; readonly tiles: readonly Tile[]; readonly collapsed?: boolean };

const COLUMNS = 24;

/** Places tiles row by row on Grafana's grid and numbers the panels: the SDK's layout wraps no lines and assigns no ids. */
export function layOut(rows: readonly Row[]): (Panel | RowPanel)[] {
  const panels: (Panel | RowPanel)[] = [];
  const idOf = idsOf(rows);
  let id = 0;
  let y = 0;
  for (const { title, tiles, collapsed = false } of rows) {
    id += 1;
    const { placed, bottom } = placeTiles(tiles, idOf, title === undefined ? y : y + 1);
    if (title !== undefined) {
      const gridPos = { x: 0, y, w: COLUMNS, h: 1 };
      panels.push({ type: 'row', title, id, collapsed, gridPos, panels: collapsed ? placed : [] });
    }
    if (!collapsed) panels.push(...placed);
    id += tiles.length;
    y = collapsed ? y + 1 : bottom;
  }
  return panels;
}

/** The ids of the panels. Each row has one too, before its panels. */
function idsOf(rows: readonly Row[]): (tile: Tile) => number {
  const tiles = rows.flatMap((row) => [undefined, ...row.tiles]);
  return (tile) => tiles.indexOf(tile) + 1;
}

/** The data source of Grafana that reuses the rows of another panel. */
const DASHBOARD = { type: 'datasource', uid: '-- Dashboard --' } as const;

/** Marker of queries in the SDK. */
const IS_QUERY = { _implementsDataqueryVariant: () => undefined } as const;

function sourceOf({ rowsOf }: Tile, idOf: (tile: Tile) => number): Partial<Panel> {
  if (rowsOf === undefined) return {};
  const query = { refId: 'A', datasource: DASHBOARD, panelId: idOf(rowsOf), withTransforms: false };
  return { datasource: DASHBOARD, targets: [{ ...IS_QUERY, ...query }] };
}

function placeTiles(
  tiles: readonly Tile[],
  idOf: (tile: Tile) => number,
  top: number,
): { placed: Panel[]; bottom: number } {
  let x = 0;
  let y = top;
  let lineHeight = 0;
  const placed = tiles.map((tile) => {
    const [width, height] = tile.size;
    if (x + width > COLUMNS) {
      x = 0;
      y += lineHeight;
      lineHeight = 0;
    }
    const gridPos = { x, y, w: width, h: height };
    x += width;
    lineHeight = Math.max(lineHeight, height);
    return { ...tile.panel, ...sourceOf(tile, idOf), id: idOf(tile), gridPos };
  });
  return { placed, bottom: y + lineHeight };
}
