import { type DeviceProblem, type Judgement, PROBLEMS } from '../../model/problem.ts';
import { gauge, type Row, type Sample, samples, seconds } from '../row.ts';

/** Metrics of an account's judgement. They are kept while polls fail. */
export const judgementRows: readonly Row<Judgement>[] = [
  samples(
    'hoster_devices_with_problem',
    'Number of phones by problem, counting only the costliest problem of each phone; all problems are present, even at 0. From the last successful poll, and kept while polls fail.',
    ['problem'],
    ({ counts }) => PROBLEMS.map((problem): Sample => [counts[problem], problem]),
  ),
  gauge(
    'hoster_grace_period_end_timestamp_seconds',
    'End of the grace period in which phones have to report after an API outage, in seconds since 1970. Absent otherwise.',
    ({ gracePeriodEndsAt }) => seconds(gracePeriodEndsAt),
  ),
];

/** Metrics of the judgement that are only shown along with the devices. */
export const onlineRows: readonly Row<Judgement>[] = [
  gauge(
    'hoster_devices_online',
    'Number of phones that are set up, have a readable heartbeat, and are neither offline nor in maintenance, at the last successful poll.',
    ({ online }) => online,
  ),
];

export const problemRows: readonly Row<DeviceProblem>[] = [
  samples(
    'hoster_device_problem_since_timestamp_seconds',
    "Start of the phone's costliest problem, in seconds since 1970; for an offline phone, its last heartbeat. Changes only with a successful poll. Absent without a problem.",
    ['problem'],
    ({ problem, since }): readonly Sample[] => [[since / 1000, problem]],
  ),
];
