import type { Row } from '../../layout.ts';
import { graph } from '../../panels/graph.ts';
import { ofProcess } from '../../promql.ts';
import { perInstance, perSecond } from '../../queries/exporter.ts';
import { NO_EXPORTER } from '../no-data.ts';

const PANEL = { noValue: NO_EXPORTER, width: 8, height: 7 } as const;

/** Panels of the page and its scrapes. */
export const pages: Row = {
  title: 'Pages',
  collapsed: true,
  tiles: [
    graph({
      ...PANEL,
      title: 'Time that a scrape takes',
      description:
        'As Prometheus measures it. When it nears the scrape timeout, compress the page or bring Prometheus nearer.',
      unit: 's',
      targets: [{ expression: perInstance(ofProcess('scrape_duration_seconds')), legend: '{{instance}}' }],
    }),
    graph({
      ...PANEL,
      title: 'Size of the page',
      description:
        'Bytes of the page, plain and compressed, without the counters of the exporter itself. It grows with the phones.',
      unit: 'bytes',
      targets: [
        {
          expression: `max by (instance, encoding) (${ofProcess('hoster_exporter_page_bytes')})`,
          legend: '{{instance}} {{encoding}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Series on the page',
      description:
        'Without the counters of the exporter itself. Check it against the limits of your Prometheus before you add phones.',
      unit: 'none',
      targets: [
        { expression: perInstance(ofProcess('hoster_exporter_series_exposed')), legend: '{{instance}}' },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Time to render the page',
      description:
        'From a new reading to the page that shows it. It does not delay scrapes; seconds are a sign of a machine that is too small.',
      unit: 's',
      targets: [
        {
          expression: perInstance(ofProcess('hoster_exporter_page_render_duration_seconds')),
          legend: '{{instance}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Requests to the exporter',
      description:
        'By path and code, per second. 401: somebody has no password; 404 in numbers: something looks for what is not here.',
      unit: 'reqps',
      targets: [
        {
          expression: perSecond(ofProcess('hoster_exporter_http_requests_total'), 'path, code'),
          legend: '{{path}} {{code}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Log lines that were dropped',
      description:
        'Lines per second that nobody read fast enough. Lower the log level, or make whatever reads the log faster.',
      unit: 'cps',
      targets: [
        {
          expression: perSecond(ofProcess('hoster_exporter_log_lines_dropped_total'), 'instance'),
          legend: '{{instance}}',
        },
      ],
    }),
  ],
};
