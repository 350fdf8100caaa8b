// Writes dist/revision.txt, which `hoster-exporter --version` prints. Called by `npm run build`.
//
// The revision is $REVISION, or else the commit that is checked out, with -dirty behind it if tracked files differ. Outside
// of a checkout of this project nothing is written.

import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';

const revision = process.env.REVISION || checkedOut();
if (revision !== undefined) writeFileSync('dist/revision.txt', `${revision}\n`);

function checkedOut() {
  // Another project may have our sources in one of its folders.
  if (git('rev-parse', '--show-toplevel') !== realpathSync('.')) return undefined;
  const commit = git('rev-parse', '--verify', 'HEAD');
  const changes = git('status', '--porcelain', '--untracked-files=no');
  return commit && `${commit}${changes ? '-dirty' : ''}`;
}

/** Returns the output of a command of git; undefined without git, or if it fails. */
function git(...parameters) {
  try {
    return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
