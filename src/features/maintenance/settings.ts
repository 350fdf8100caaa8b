import { z } from 'zod';
import { parseWindowCron } from '../../config/cron.ts';
import { type Config, defineList, defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import {
  duration,
  names,
  onOff,
  parsedText,
  parseTimeZone,
  parseUsers,
  pattern,
} from '../../config/values.ts';
import { HOUR, SECOND } from '../../model/time.ts';
import type { MaintenanceWindow } from './model.ts';

const window = z.strictObject(
  {
    name: setting(
      pattern('a name of at most 64 letters, digits, blanks, _ or -', /^[\p{L}\p{N}_ -]{1,64}$/u),
      {
        description: 'Name of the window, unique; it is shown wherever the window holds.',
        example: 'nightly reboot',
      },
    ),
    schedule: setting(parsedText('a cron expression such as "0 4 * * *"', parseWindowCron), {
      description:
        'When the window begins: a cron expression of five fields, without seconds, in its time zone.',
      example: '0 4 * * *',
    }),
    duration: setting(duration(60 * SECOND, 24 * HOUR), {
      description: 'How long the window holds.',
      example: '15m',
    }),
    time_zone: setting(parsedText('the name of a time zone such as Europe/Kyiv', parseTimeZone).optional(), {
      description: 'Time zone of the schedule; by default that of the owner.',
      example: 'Europe/Kyiv',
    }),
    accounts: setting(names('accounts').optional(), {
      description: 'Accounts of the phones; all by default.',
    }),
    groups: setting(names('groups').optional(), {
      description: 'Groups of the phones; without groups and devices all phones.',
    }),
    devices: setting(names('phones, by id or label').optional(), {
      description: 'Phones, by id or label; without groups and devices all phones.',
    }),
  },
  { error: 'a map with name, schedule and duration' },
);

/** Windows that recur. */
export const WINDOWS = defineList('maintenance', window, {
  one: 'window',
  about: 'A list of windows, each of which has `name`, `schedule` and `duration`.',
});

/** What may be said at run time, and by whom. */
export const REQUESTS = defineSection(
  'web',
  {
    enable_maintenance: setting(onOff, {
      needsRestart: true,
      description:
        'Lets the owner say at run time which phones are worked on (docs/MAINTENANCE.md): whoever may log in, or without log-ins this machine.',
      default: false,
    }),
    maintenance_users: setting(parsedText('names of users such as anna,bob', parseUsers).optional(), {
      needsRestart: true,
      description:
        'Users of web.config_file, separated by commas, who may say at run time which phones are worked on; by default all. Others may look.',
      example: 'anna,bob',
    }),
  },
  ({ maintenance_users: users }, { web }, originOf) => {
    const name = 'web.maintenance_users';
    return users === undefined || web.config_file !== undefined
      ? []
      : [`${originOf(name.split('.'))}: ${name}: nobody logs in: set web.config_file`];
  },
);

/** Returns the windows that recur; one without a time zone is in that of the owner. */
export function windowsOf(config: Config): readonly MaintenanceWindow[] {
  return WINDOWS.of(config).map(
    ({
      name,
      schedule,
      duration,
      time_zone: timeZone = config.time_zone,
      accounts = [],
      groups = [],
      devices = [],
    }) => ({
      name,
      scope: { accounts, groups, devices },
      schedule,
      timeZone,
      durationMilliseconds: duration,
    }),
  );
}
