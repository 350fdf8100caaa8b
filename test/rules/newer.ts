import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './shipped.ts';

/** Prometheus, Alertmanager and vmalert as new as those of compose.yaml, by packaging/newer-servers.sh. */
export type NewerProgram =
  | 'amtool'
  | 'prometheus'
  | 'prometheus-alertmanager'
  | 'promtool'
  | 'victoria-metrics'
  | 'vmalert';

/** Returns the path of a program, which is downloaded if it is not there yet. */
export function newer(program: NewerProgram): string {
  return join(execFileSync(join(ROOT, 'packaging/newer-servers.sh'), { encoding: 'utf8' }).trim(), program);
}
