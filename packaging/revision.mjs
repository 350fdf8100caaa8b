// Writes dist/revision.txt, which `hoster-exporter --version` prints. Called by `npm run build`.
//
// The revision is $REVISION, or the checked-out commit, followed by -dirty if tracked files differ. Nothing is written outside
// a checkout of this project.

import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';

const revision = process.env.REVISION || checkedOut();
if (revision !== undefined) writeFileSync('dist/revision.txt', `${revision}\n`);

function checkedOut() {
  // Another project may contain our sources in a folder.
  if (git('rev-parse', '--show-toplevel') !== realpathSync('.')) return undefined;
  const commit = git('rev-parse', '--verify', 'HEAD');
  const changes = git('status', '--porcelain', '--untracked-files=no');
  return commit && `${commit}${changes ? '-dirty' : ''}`;
}

/** Returns the output of a git command; undefined without git, or if it fails. */
function git(...parameters) {
  try {
    return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
