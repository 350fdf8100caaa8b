import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileCache } from '../../../src/base/files.ts';
import { check } from '../../../src/cli/check.ts';
import type { Command } from '../../../src/cli/command.ts';
import { healthcheck } from '../../../src/cli/healthcheck.ts';
import { once } from '../../../src/cli/once.ts';
import { run } from '../../../src/cli/run.ts';
import { parseArguments } from '../../../src/config/flags.ts';
import { readConfig } from '../../../src/config/load.ts';
import { CONFIG_SCHEMA, FEATURES } from '../../../src/features.ts';
import { ROOT, shippedText } from '../../rules/shipped.ts';

const DOCUMENTS = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8' }).map((name) => `docs/${name}`),
];
/** Each `--flag=value` of the documents, apart from values that stand for others. */
const WRITTEN = [
  ...new Set(
    DOCUMENTS.filter((name) => name.endsWith('.md')).flatMap((document) =>
      Array.from(
        shippedText(document).matchAll(/--([a-z][\w.-]*)=([^\s`'"|…<>$)]+)(?=[\s`|])/g),
        ([flag]) => flag,
      ),
    ),
  ),
].filter((flag) => !/=[A-Z_]+$/.test(flag));

/** Tries a flag with a command; undefined if the command has no such flag. */
async function problemOf(
  flag: string,
  { options, takesSettings = true }: Command,
): Promise<string | undefined> {
  try {
    const { flags } = parseArguments([flag], options, takesSettings ? CONFIG_SCHEMA.settings : undefined);
    const files = createFileCache(async () => 'key');
    await readConfig({ schema: CONFIG_SCHEMA, flags, environment: {}, accounts: 'optional' }, files);
    return '';
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (/unknown flag/.test(text)) return undefined;
    // Other options of the command are missing here.
    return text
      .split('\n')
      .filter((line) => !line.includes('got nothing'))
      .join('\n');
  }
}

it('every flag with a value in the documents is taken by a command that has it', async () => {
  const loaded = await Promise.all(
    FEATURES.flatMap(({ commands = [] }) => commands.map(({ load }) => load())),
  );
  const commands = [run, check, once, healthcheck, ...loaded];
  const results = await Promise.all(
    WRITTEN.map(async (flag) => {
      const problems = await Promise.all(commands.map((command) => problemOf(flag, command)));
      return { flag, problems: problems.filter((problem) => problem !== undefined) };
    }),
  );
  const known = results.filter(({ problems }) => problems.length > 0);
  expect(known.length).toBeGreaterThan(15);
  expect(known.filter(({ problems }) => !problems.includes(''))).toEqual([]);
});
