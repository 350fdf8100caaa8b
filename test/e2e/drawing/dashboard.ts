import { drawBars, drawStat, drawTable } from './boxes.ts';
import { drawGraph, drawTimeline } from './graph.ts';
import { escaped, type Size } from './markup.ts';
import { type Brought, type DrawnPanel, linesOf } from './panel.ts';

/** Width of the picture, and the 24 columns and the rows of Grafana's grid in it, in pixels. */
export const WIDTH = 1400;
const COLUMN = WIDTH / 24;
const ROW = 34;
const GAP = 6;
const TITLE = 28;

const STYLE = `
  body { margin: 0; background: #111217; color: #ccccdc; font: 12px sans-serif; position: relative }
  .row, .panel { position: absolute; box-sizing: border-box; overflow: hidden }
  .row { font-size: 14px; font-weight: 600; padding: 8px }
  .panel { background: #181b1f; border: 1px solid #2c2f36 }
  h2 { font-size: 12px; margin: 0; padding: 6px 8px; height: 14px; white-space: nowrap }
  .stats { display: flex; gap: 2px; height: calc(100% - ${TITLE}px) }
  .stat { flex: 1; display: flex; flex-direction: column; align-items: center; justify-content: center }
  .stat b { font-size: 24px } .none { color: #8e8e8e; text-align: center; padding: 10px }
  .bar { display: flex; align-items: center; padding: 3px 8px; gap: 8px }
  .bar span { width: 40% } .bar i { flex: 1; background: #22252b; height: 14px } .bar u { display: block; height: 14px }
  .bar em { font-style: normal; width: 60px; text-align: right; white-space: nowrap }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: 3px 8px; font-size: 11px; white-space: nowrap; border-bottom: 1px solid #2c2f36 }
  svg text { fill: #8e8e8e; font-size: 10px } .legend { font-size: 10px; padding: 0 8px; margin-top: -14px; position: relative }
`;

/** A panel with what its queries brought. */
export type Filled = { readonly panel: DrawnPanel; readonly brought: readonly Brought[] };

/**
 * A dashboard as a page: its grid, titles, numbers, tables and graphs from real data, in colours like those of Grafana's
 * dark theme. It is no Grafana: tooltips, links, variables, annotations and what is hidden in collapsed rows are not
 * shown, and letters and lines lie where they lie here.
 */
export function drawDashboard(title: string, filled: readonly Filled[]): string {
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><style>${STYLE}</style>${filled.map(drawPanel).join('')}`;
}

function drawPanel({ panel, brought }: Filled): string {
  const { x, y, w, h } = panel.gridPos;
  const size = { width: w * COLUMN - GAP, height: h * ROW - GAP };
  const place = `left:${x * COLUMN}px;top:${y * ROW}px;width:${size.width}px;height:${size.height}px`;
  if (panel.type === 'row') return `<div class="row" style="${place}">▾ ${escaped(panel.title)}</div>`;
  const inside = { width: size.width - 2, height: size.height - TITLE - 18 };
  return `<div class="panel" style="${place}"><h2>${escaped(panel.title)}</h2>${contentOf(panel, brought, inside)}</div>`;
}

function contentOf(panel: DrawnPanel, brought: readonly Brought[], size: Size): string {
  const lines = linesOf(panel, brought);
  if (lines.length === 0)
    return `<div class="none">${escaped(panel.fieldConfig.defaults.noValue ?? '')}</div>`;
  switch (panel.type) {
    case 'stat':
      return drawStat(panel, lines);
    case 'bargauge':
      return drawBars(lines);
    case 'table':
      return drawTable(panel, brought);
    case 'state-timeline':
      return drawTimeline(lines, size);
    case 'timeseries':
      return drawGraph(panel, lines, size);
    default:
      throw new RangeError(`Panels of the type ${panel.type} cannot be drawn.`);
  }
}
