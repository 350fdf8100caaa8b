import type { Board } from '../../dashboard.ts';
import { rows } from '../../variables.ts';
import { api } from './api.ts';
import { apiQuality } from './api-quality.ts';
import { now } from './now.ts';
import { polls } from './polls.ts';
import { processes } from './processes.ts';

/** Can what the other dashboards say be believed? */
export const exporterBoard: Board = {
  name: 'exporter',
  title: 'Hoster / Exporter',
  description: 'Whether the exporter reads the API, how old its data is, and how it is itself.',
  from: 'now-6h',
  variables: [rows()],
  rows: [now, polls, api, apiQuality, processes],
};
