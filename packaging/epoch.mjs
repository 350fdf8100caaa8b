import { execFileSync } from 'node:child_process';

/** The time of each file in a package, in seconds since 1970: the commit's, so that a build can be reproduced. */
export function sourceEpoch() {
  return Number(process.env.SOURCE_DATE_EPOCH || timeOfCommit() || Date.UTC(2026, 0, 1) / 1000);
}

function timeOfCommit() {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8', stdio }).trim();
  } catch {
    return undefined;
  }
}
