import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shippedText } from '../../rules/shipped.ts';

const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(shippedText('package.json')));

const TESTS = 'node packaging/test.mjs';

/** The commands of a script, and those that the script of the tests starts. */
function commandsOf(name: string): readonly string[] {
  const started = [...shippedText('packaging/test.mjs').matchAll(/'(np[mx] [^']+)'/g)];
  const script = (scripts[name] ?? '').replace(
    TESTS,
    [TESTS, ...started.map(([, each]) => each)].join(' && '),
  );
  return script.split(' && ');
}

/** The scripts that a script of npm runs, itself included. */
function scriptsOf(name: string): readonly string[] {
  const script = commandsOf(name).join(' && ');
  const called = [...script.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, each = '']) => each);
  return [name, ...called.flatMap(scriptsOf)];
}

/** Programs that a Windows machine with Node has. */
const KNOWN = new Set(['node', 'npm', 'npx', 'tsc', 'biome', 'vitest']);

const README = [...shippedText('README.md').matchAll(/npm run (\w[\w:]*)/g)].map(([, name = '']) => name);

describe.each(['demo', 'test'])('npm run %s', (name) => {
  it('needs nothing that cmd.exe lacks', () => {
    const commands = scriptsOf(name).flatMap(commandsOf);
    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter((command) => !KNOWN.has(command.split(' ')[0] ?? ''))).toEqual([]);
    expect(commands.filter((command) => /['`$;|>*]|\\/.test(command))).toEqual([]);
  });
});

it('the README names only scripts that exist', () => {
  expect(README.filter((name) => !(name in scripts))).toEqual([]);
});
