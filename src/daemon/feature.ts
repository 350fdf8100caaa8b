import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Log } from '../base/log.ts';
import type { TimeZone } from '../base/time-zone.ts';
import type { Config, SettingGroup } from '../config/schema.ts';
import type { CoreDocument, FeatureFields, FleetDocument, FleetExporter } from '../fleet/document.ts';
import type { Route } from '../http/reply.ts';
import type { StepSettings } from '../judge/step.ts';
import type { Family, Switches } from '../metrics/families.ts';
import type { NamedAccount, SavedState } from '../model/account.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { Observation } from '../model/observation.ts';
import type { Snapshot } from '../model/snapshot.ts';

/*
 * A feature of the daemon: a folder that can be deleted, with one object that describes it. src/features.ts lists them.
 */

export type DaemonFeature = {
  readonly name: string;
  readonly settings?: readonly SettingGroup[];
  /** The schemas of its fields in the fleet JSON. */
  readonly fields?: FeatureFields;
  /** Its metrics, as pure functions of the snapshot. */
  readonly families?: (switches: Switches) => readonly Family[];
  /** Returns warnings about its settings, for the `check` command. */
  readonly check?: (
    config: Config,
    io: Pick<FeatureContext, 'readFile' | 'yieldToEventLoop'>,
  ) => Promise<readonly string[]>;
  /** Creates it for one daemon. Has no effect until it is started. */
  readonly create?: (daemon: FeatureContext) => RunningFeature;
};

/** The parts of the process that the daemon and its features use. */
export type ProcessContext = {
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly yieldToEventLoop: () => Promise<void>;
  /** The disk for files that people write, and for month and incident files. */
  readonly disk: Disk;
  /** Reads a text file. Rejects with Node's error if it can't be read. */
  readonly readFile: (path: string) => Promise<string>;
  /** Reads a file of the page. Throws if it does not exist. */
  readonly readPageFile: (name: string) => Buffer;
};

export type FeatureContext = ProcessContext & {
  /** Returns the configuration in use. */
  readonly config: () => Config;
  readonly snapshot: () => Snapshot;
  /** Returns the latest instant of all accounts by the API's clock; before the first one, by our own. */
  readonly now: () => number;
  readonly timeZone: () => TimeZone;
  /** Adds an observation that is not a poll. Resolves when all outputs show its effects. */
  readonly observe: (account: string, observation: Observation) => Promise<void>;
  /** Saves the state. Resolves to the error message, or to undefined. */
  readonly save: () => Promise<string | undefined>;
  /**
   * Reports whether a feature's files can be written, for an alert and the page.
   *
   * @param file a short name for them, which becomes a label
   * @param problem a sentence about what is wrong; undefined if nothing is
   */
  readonly reportFiles: (file: string, problem: string | undefined) => void;
  /** Returns the accounts that were removed from the configuration within a day. */
  readonly removed: () => readonly NamedAccount[];
  /** Returns the lookup of device properties in an account; undefined if there are none. */
  readonly propertiesOf: (account: string) => StepSettings['propertiesOf'];
};

type KnownNames = {
  /** The phones of each account, in their groups. */
  readonly phones: ReadonlyMap<string, readonly Pick<FleetDevice, 'device' | 'group'>[]>;
};

export type RunningFeature = {
  readonly judgement?: (
    account: string,
  ) => Partial<Pick<StepSettings, 'propertiesOf' | 'mutedSinceOf' | 'parts'>>;
  /**
   * Prepares for a configuration, including the first one. Returns a function that applies it, and returns true if it changes
   * judgements. Never rejects.
   */
  readonly configure?: (config: Config) => Promise<() => boolean>;
  readonly routes?: () => Iterable<readonly [path: string, route: Route]>;
  /** Returns its part of the fleet JSON, which may depend on the rest. */
  readonly document?: (rest: CoreDocument) => Partial<FleetDocument>;
  readonly exporter?: () => Partial<FleetExporter>;
  /** Adds data that is not yet observed to the saved state. */
  readonly saved?: (state: SavedState) => SavedState;
  /** Lists the names in its settings and its memory that match nothing, as sentences. */
  readonly warnings?: (known: KnownNames) => readonly string[];
  /** Its regular work, run after the first polls and then every `every` milliseconds. Never rejects. */
  readonly work?: { readonly every: number; readonly run: () => Promise<void> };
};
