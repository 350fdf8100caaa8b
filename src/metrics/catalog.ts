import type { SlicedWork } from '../slices.ts';
import { type Output, renderBatches } from './batches.ts';
import type { Encoder } from './encode.ts';
import type { Feature, MetricType, Row } from './row.ts';
import { accountRows } from './rows/account.ts';
import { balanceRows } from './rows/balance.ts';
import { deviceRows } from './rows/device.ts';
import { fleetRows } from './rows/fleet.ts';
import { listingRows, pollRows } from './rows/poll.ts';
import { tunnelRows } from './rows/tunnel.ts';
import { type Sample, samplesOf } from './sample.ts';
import { formatLabels } from './text.ts';
import { IDENTITY_LABELS, type Part, SHOWN_BY, type ShownBy, type View } from './view.ts';

/** A metric family: what a row declares, with all its labels, and its samples in a view. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  /** The labels that identify the subject, then those of the row. */
  readonly labels: readonly string[];
  /** The labels of the row alone: the names that the values in a {@link Sample} belong to. */
  readonly ownLabels: readonly string[];
  /** The samples, subject by subject. */
  readonly groups: (view: View) => Iterable<Group>;
  readonly shownBy: ShownBy;
  /** The section of the page that it belongs to. */
  readonly section: Section;
};

/** The samples of one subject, with the text of the labels that identify it. */
export type Group = { readonly identity: string; readonly samples: readonly Sample[] };

/** Families that read the same subjects, and are rendered together. */
export type Section = {
  /** How many there are; on the page they stand one behind the other. */
  readonly families: number;
  /** {@link renderBatches} of these families, an output for each. */
  readonly render: <Made>(
    before: View,
    view: View,
    outputs: readonly Output<Made>[],
    encoder: Encoder,
  ) => SlicedWork<void>;
};

/** Which features are on. */
export type Features = Readonly<Record<Feature, boolean>>;

/**
 * Every family that is a pure function of the snapshot, in the order of the page. From this list come the exposition,
 * `docs/METRICS.md`, the checks of names, and the number of series that a fleet costs.
 */
export function catalog(features: Features): readonly Family[] {
  const families = [
    familiesOf('accounts', (view) => view.accounts, accountRows, features),
    familiesOf('fleets', (view) => view.fleets, fleetRows, features),
    familiesOf('devices', (view) => view.devices, deviceRows, features),
    familiesOf('tunnels', (view) => view.tunnels, tunnelRows, features),
    familiesOf('balances', (view) => view.balances, balanceRows, features),
    familiesOf('readings', (view) => view.readings, pollRows, features),
    familiesOf('listings', (view) => view.listings, listingRows, features),
  ];
  return families.flat();
}

function familiesOf<Subject>(
  list: keyof View,
  parts: (view: View) => readonly Part<Subject>[],
  all: readonly Row<Subject>[],
  features: Features,
): readonly Family[] {
  const rows = all.filter(({ feature }) => feature === undefined || features[feature]);
  const identityLabels = IDENTITY_LABELS[list];
  const section: Section = {
    families: rows.length,
    render: (before, view, outputs, encoder) =>
      renderBatches(rows, identityLabels, parts(before), parts(view), outputs, encoder),
  };
  return rows.map((row) => ({
    name: row.name,
    help: row.help,
    type: row.type,
    labels: [...identityLabels, ...row.labels],
    ownLabels: row.labels,
    shownBy: SHOWN_BY[list],
    section,
    *groups(view) {
      for (const { account, subjects, id } of parts(view)) {
        let index = 0;
        for (const subject of subjects) {
          const values = id === undefined ? [account] : [account, id(subject, index)];
          yield { identity: formatLabels(identityLabels, values), samples: samplesOf(row, subject) };
          index += 1;
        }
      }
    },
  }));
}
