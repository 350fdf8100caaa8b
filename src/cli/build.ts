import { readFileSync } from 'node:fs';
import type { Build } from '../metrics/exporter-metrics.ts';

export function readBuild(): Build {
  return {
    version: packageVersion(),
    revision: process.env['REVISION'] || builtRevision(),
    nodeVersion: process.version,
  };
}

function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version =
    typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

/** Reads the file that packaging/revision.mjs writes in a git checkout. */
function builtRevision(): string {
  try {
    return readFileSync(new URL('../revision.txt', import.meta.url), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
