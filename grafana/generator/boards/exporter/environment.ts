import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import type { Tile } from '../../panels/tile.ts';
import { ofAccount, ofProcess, total } from '../../promql.ts';
import { count } from '../count.ts';
import { NO_EXPORTER } from '../no-data.ts';

function problem(title: string, description: string, expression: string, noValue = NO_EXPORTER): Tile {
  return count(title, description, expression, LIMITS.anyIsPoor, noValue);
}

function inRange(counter: string): string {
  return total(`increase(${counter}[$__range])`);
}

const NO_STATE = 'No state file';

/** Panels of problems outside of the exporter. */
export const environment: Row = {
  title: 'Upkeep',
  tiles: [
    problem(
      'Bad config',
      'Exporters whose configuration was bad when it was last read; the previous one stays active. Run "hoster-exporter check" and mend it.',
      total(`${ofProcess('hoster_exporter_config_last_reload_successful')} == bool 0`),
    ),
    problem(
      'Not saved',
      'Exporters that could not write their state the last time, so that a restart would forget it. Check the space and the rights of its folder.',
      total(`${ofProcess('hoster_exporter_state_last_save_successful')} == bool 0`),
      NO_STATE,
    ),
    problem(
      'Not loaded',
      'Exporters that found a broken state file at their start and began anew: since when each rental status lasts is forgotten. Keep the file for a report.',
      total(`${ofProcess('hoster_exporter_state_load_successful')} == bool 0`),
      NO_STATE,
    ),
    problem(
      'Key errors',
      'Times in this time range that an API key could not be read again; the last good one stays in use. Check the file and its rights.',
      inRange(ofAccount('hoster_exporter_key_file_errors_total')),
    ),
    problem(
      'Clock steps',
      'Times in this time range that the clock of this machine jumped. Set up time synchronisation that slews; a suspend is a step too.',
      inRange(ofProcess('hoster_exporter_clock_steps_total')),
    ),
  ],
};
