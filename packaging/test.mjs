// Runs `npm test`: the types in parallel with the format and the build, since each needs one core, and then the tests.
// Parameters are passed to Vitest. A step's output is shown only if it fails.

import { spawn } from 'node:child_process';

/** Resolves with the exit code, and with the command's output unless it goes to this terminal. */
function run(command, stdio) {
  const child = spawn(command, { shell: true, stdio });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(pieces).toString() }));
  });
}

// The build removes files that Biome would check.
const steps = [
  'npx biome ci --error-on-warnings --colors=off . && npm run --silent emit',
  'npx tsc --noEmit --checkers 2',
];
const failures = await Promise.all(
  steps.map(async (step) => {
    const { code, output } = await run(step, ['ignore', 'pipe', 'pipe']);
    if (code !== 0) process.stderr.write(`${step}\n${output}`);
    return code;
  }),
);
const quoted = process.argv.slice(2).map((each) => `"${each}"`);
const failure = failures.find((code) => code !== 0);
process.exitCode =
  failure ??
  (await run(['npx vitest run --project npm --maxWorkers 3', ...quoted].join(' '), 'inherit')).code;
