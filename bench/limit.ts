import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedText } from '../test/rules/shipped.ts';

/** Mebibytes of memory that the shipped unit allows. */
export function shippedLimit(): number {
  const unit = shippedText('config/systemd/hoster-exporter.service');
  return Number(/^MemoryMax=(\d+)M$/m.exec(unit)?.[1]);
}

/** A control group of Linux that limits memory. */
export type MemoryGroup = {
  /** Returns the command that runs a command in the group. */
  readonly command: (command: readonly string[]) => readonly string[];
  /** Removes the group; its program must have ended. */
  readonly remove: () => void;
};

const ROOT = '/sys/fs/cgroup';

export function mayLimitMemory(): boolean {
  return process.getuid?.() === 0 && existsSync(ROOT);
}

/** Creates a group as systemd and container engines do, by version 1 or 2 of control groups. */
export function createMemoryGroup(mebibytes: number): MemoryGroup {
  const isFirst = existsSync(join(ROOT, 'memory'));
  if (!isFirst) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+memory');
  const folder = join(ROOT, isFirst ? 'memory' : '', `hoster-bench-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(join(folder, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), `${mebibytes}M`);
  return {
    command: (command) => ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder, ...command],
    remove: () => rmdirSync(folder),
  };
}
