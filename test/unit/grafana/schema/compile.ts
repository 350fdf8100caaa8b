import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../../rules/shipped.ts';
import type { Panel } from '../board.ts';

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Line of a generated module that begins a panel. */
const PANEL = '// ';

/**
 * The errors of the compiler where panels are not as a version of Grafana has them, by the names of their modules.
 *
 * @param name the name under which package.json has the types of that version
 */
export async function errorsOf(
  panels: Readonly<Record<string, readonly Panel[]>>,
  name: string,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-panels-'));
  try {
    const modules = Object.entries(panels).map(([module, own]) => [`${module}.ts`, moduleOf(own)] as const);
    for (const [file, text] of modules) writeFileSync(join(folder, file), text);
    const types = join(ROOT, 'node_modules', name);
    const paths = {
      '@grafana/schema': [join(types, 'dist/types/index.d.ts')],
      '@grafana/schema/*': [`${types}/*`],
    };
    const compilerOptions = {
      ...{ target: 'ES2023', module: 'Preserve', noEmit: true, strict: true, paths },
      ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, types: [] },
    };
    const files = modules.map(([file]) => file);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const output = await compile(folder);
    return output
      .split(/\n(?!\s)/)
      .filter((message) => message !== '')
      .map((message) => placed(message, new Map(modules)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function moduleOf(panels: readonly Panel[]): string {
  const checks = panels.map((panel) => {
    const type = JSON.stringify(panel.type);
    return `${PANEL}${panel.title}\n(${JSON.stringify(panel)}) satisfies Panels[${type}];\n`;
  });
  const types = join(import.meta.dirname, 'panels.ts');
  return `import type { Panels } from ${JSON.stringify(types)};\n${checks.join('')}`;
}

function compile(folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(
      process.execPath,
      [COMPILER, '--project', folder, '--pretty', 'false'],
      options,
      (error, stdout, stderr) => {
        if (stderr !== '' || (error !== null && stdout === '')) reject(error ?? new Error(stderr));
        else resolve(stdout);
      },
    );
  });
}

/** A message of the compiler with the panel in place of the line. */
function placed(message: string, modules: ReadonlyMap<string, string>): string {
  const [, file = '', line = '', text = message] = /^(.+\.ts)\((\d+),\d+\): (.*)$/s.exec(message) ?? [];
  const before = (modules.get(file) ?? '').split('\n').slice(0, Number(line));
  const panel = before.findLast((one) => one.startsWith(PANEL))?.slice(PANEL.length) ?? '';
  return [file.replace(/\.ts$/, ''), panel, text].filter((part) => part !== '').join(': ');
}
