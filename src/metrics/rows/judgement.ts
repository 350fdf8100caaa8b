import { type DeviceProblem, type Judgement, PROBLEMS } from '../../model/problem.ts';
import { gauge, type Row, type Sample, samples, seconds } from '../row.ts';

/** Metrics of the judgement of an account, which stands while polls fail. */
export const judgementRows: readonly Row<Judgement>[] = [
  samples(
    'gauge',
    'hoster_devices_with_problem',
    'Number of phones by what is wrong with them, the costliest if several; every problem is there, also at 0. As of the last successful poll, and it stands while polls fail.',
    ['problem'],
    ({ counts }) => PROBLEMS.map((problem): Sample => [counts[problem], problem]),
  ),
  gauge(
    'hoster_grace_period_end_timestamp_seconds',
    'When the silence of all phones is judged again after an outage of the API, in seconds since 1970: they could not report either. Absent otherwise.',
    ({ gracePeriodEndsAt }) => seconds(gracePeriodEndsAt),
  ),
];

/** Metrics of the judgement that are shown only together with the devices. */
export const onlineRows: readonly Row<Judgement>[] = [
  gauge(
    'hoster_devices_online',
    'Number of phones that are set up, have a readable heartbeat and are not offline, as of the last successful poll.',
    ({ online }) => online,
  ),
];

/** Metrics of what is wrong with one device. */
export const problemRows: readonly Row<DeviceProblem>[] = [
  samples(
    'gauge',
    'hoster_device_problem_since_timestamp_seconds',
    'Since when something is wrong with the phone, in seconds since 1970; the label says what, the costliest if several. A offline phone has its last heartbeat. Begins and ends at a successful poll, and stands while polls fail. Absent for a healthy phone.',
    ['problem'],
    ({ problem, since }): readonly Sample[] => [[since / 1000, problem]],
  ),
];
