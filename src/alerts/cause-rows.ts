import { experimental, type Row, type Sample, samples, seconds } from '../metrics/row.ts';
import { type AccountCause, type CommonCause, shownValue } from '../model/cause.ts';

const LABELS = ['kind', 'value'] as const;

/** Writes a host where `features.tunnel_endpoints` lets metrics name hosts, and a name in its place elsewhere. */
type ValueText = (cause: CommonCause) => string;

const written: ValueText = ({ value }) => value;

const textOf = (showsHosts: boolean): ValueText => (showsHosts ? written : shownValue);

/** Metrics of the common causes of an account's silent devices. */
export function causeRows(showsHosts: boolean): readonly Row<readonly AccountCause[]>[] {
  const text = textOf(showsHosts);
  const rows: readonly Row<readonly AccountCause[]>[] = [
    samples(
      'gauge',
      'hoster_common_cause_devices',
      'Number of silent phones of this account that one shared property explains: they fell silent at the same time, and most phones with it did. The kind is group, tunnel_host, account, app_version, model, or the name of a tag (tags.file). A tunnel host is written as a name in its place unless features.tunnel_endpoints is on. As of the last successful poll; absent without such a property.',
      LABELS,
      (causes) => causes.map(({ cause, deviceIds }): Sample => [deviceIds.length, cause.kind, text(cause)]),
    ),
    samples(
      'gauge',
      'hoster_common_cause_start_timestamp_seconds',
      'First of the last heartbeats of the phones that a common cause explains, of all accounts, in seconds since 1970.',
      LABELS,
      (causes) => causes.map(({ cause }): Sample => [seconds(cause.startAt) ?? 0, cause.kind, text(cause)]),
    ),
  ];
  return rows.map(experimental);
}

/** Metrics of one device that a common cause explains. */
export function deviceCauseRows(showsHosts: boolean): readonly Row<CommonCause>[] {
  const text = textOf(showsHosts);
  return [
    experimental(
      samples(
        'gauge',
        'hoster_device_common_cause',
        'Always 1; the labels are the common cause that explains why the phone is silent. Absent for all other phones.',
        LABELS,
        (cause) => [[1, cause.kind, text(cause)]],
      ),
    ),
  ];
}
