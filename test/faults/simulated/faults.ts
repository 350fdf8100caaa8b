import type { Fault } from '../../../src/simulator/faults/fault.ts';
import { USUAL_FAULTS } from '../../../src/simulator/faults/usual.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../src/simulator/server.ts';
import { DATA_FAULTS } from './data.ts';
import { STATUS_FAULTS } from './status.ts';
import { WIRE_FAULTS } from './wire.ts';

/** All faults of responses: those of the simulator, and rarer ones. */
export const FAULTS: readonly Fault[] = [...USUAL_FAULTS, ...STATUS_FAULTS, ...WIRE_FAULTS, ...DATA_FAULTS];

/** Starts a simulator that knows all of them. */
export function startFaultySimulator(options: SimulatorOptions): Promise<Simulator> {
  return startSimulator({ ...options, faults: FAULTS });
}
