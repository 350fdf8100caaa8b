import type { Instruments } from './instruments.ts';

/** What is told of the configuration and of the state file. Instants are milliseconds since 1970. */
export type UpkeepMetrics = {
  /** The configuration was read: at the start, or again. */
  readonly reloaded: (success: boolean, at: number) => void;
  /** Takes every series of an account away that is not configured any more. */
  readonly forget: (account: string) => Promise<void>;
  readonly stateLoaded: (success: boolean) => void;
  readonly stateSaved: (success: boolean, at: number) => void;
};

export function upkeepMetrics(instruments: Instruments): UpkeepMetrics {
  return {
    reloaded: (success, at) => {
      instruments.reloadSuccessful.set({}, success ? 1 : 0);
      if (success) instruments.reloadSuccessAt.set({}, at / 1000);
    },
    forget: instruments.forget,
    stateLoaded: (success) => instruments.stateLoadSuccessful.set({}, success ? 1 : 0),
    stateSaved: (success, at) => {
      instruments.stateSaveSuccessful.set({}, success ? 1 : 0);
      if (success) instruments.stateSaveSuccessAt.set({}, at / 1000);
    },
  };
}
