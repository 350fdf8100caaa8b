import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { TimeZone } from '../base/time-zone.ts';
import type { Config, SettingGroup } from '../config/schema.ts';
import type { FleetDocument, FleetExporter } from '../fleet/document.ts';
import type { Route, Sender } from '../http/reply.ts';
import type { StepSettings } from '../judge/step.ts';
import type { Family, Switches } from '../metrics/families.ts';
import type { SavedState } from '../model/account.ts';
import type { Observation } from '../model/observation.ts';
import type { Snapshot } from '../model/snapshot.ts';

/*
 * A feature of the daemon: a folder that can be deleted, with one object that says what it brings. The core imports none of
 * them; src/features.ts lists them.
 */

/** A feature as the daemon sees it. */
export type DaemonFeature = {
  readonly name: string;
  readonly settings?: readonly SettingGroup[];
  /** Its metrics, as pure functions of the snapshot. */
  readonly families?: (switches: Switches) => readonly Family[];
  /** Returns warnings about what its settings name, for the command `check`. */
  readonly check?: (
    config: Config,
    io: Pick<FeatureContext, 'readFile' | 'yieldToEventLoop'>,
  ) => Promise<readonly string[]>;
  /** Creates it for one daemon. Has no effect before {@link RunningFeature.start}. */
  readonly create?: (daemon: FeatureContext) => RunningFeature;
};

/** What a feature can use of the daemon. */
export type FeatureContext = {
  readonly clock: Clock;
  /** Returns a number in [0, 1), another one at each call. */
  readonly random: () => number;
  readonly log: Log;
  readonly yieldToEventLoop: () => Promise<void>;
  /** Reads a text file. Rejects with Node's error if it can't be read. */
  readonly readFile: (path: string) => Promise<string>;
  /** Reads a file of the page, as the build laid it out. Throws where there is none of this name. */
  readonly readPageFile: (name: string) => Buffer;
  /** Returns the configuration in use. */
  readonly config: () => Config;
  readonly snapshot: () => Snapshot;
  /** Returns the latest instant that an account knows, by the clock of the API; before the first one, by our own clock. */
  readonly now: () => number;
  readonly timeZone: () => TimeZone;
  /** Takes an observation of an account that no poll made; resolves when everything shows what follows from it. */
  readonly observe: (account: string, observation: Observation) => Promise<void>;
  /** Saves the state; resolves to the reason where it cannot. */
  readonly save: () => Promise<string | undefined>;
  /** Returns how features find the properties of the devices of an account; undefined without any. */
  readonly propertiesOf: (account: string) => StepSettings['propertiesOf'];
};

/** A feature of one daemon. */
export type RunningFeature = {
  /** Returns what it puts into the judgement of an account. */
  readonly judgement?: (
    account: string,
  ) => Partial<Pick<StepSettings, 'propertiesOf' | 'mutedSinceOf' | 'parts'>>;
  /**
   * Prepares for a configuration, also for the first one, and returns a function that changes to it: true if the judgement
   * of devices changes with it. Never rejects.
   */
  readonly configure?: (config: Config) => Promise<() => boolean>;
  readonly routes?: () => Iterable<readonly [path: string, route: Route]>;
  /** Its part of the JSON of the fleet. */
  readonly document?: () => Partial<FleetDocument>;
  /** Its facts about the exporter in that JSON, for somebody who may only look, or not. */
  readonly exporter?: (isReader: boolean) => Partial<FleetExporter>;
  /** Reports whether somebody may only look. */
  readonly isReader?: (sender: Sender) => boolean;
  /** Adds to the saved state what is not observed yet. */
  readonly saved?: (state: SavedState) => SavedState;
  /** Logs what its settings name and no phone is in, when groups of phones are known. */
  readonly warnOfUnmatched?: (groups: ReadonlySet<string>) => void;
  /** Its regular work: when the first polls have ended, and then every so many milliseconds. Never rejects. */
  readonly work?: { readonly every: number; readonly run: () => Promise<void> };
};
