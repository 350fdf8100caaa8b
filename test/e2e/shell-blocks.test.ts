import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The blocks of shell commands of a document, without the indentation of their list. */
function blocksOf(document: string): readonly string[] {
  const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/^( *)```sh\n(.*?)^ *```$/gms);
  return Array.from(blocks, ([, indentation = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

const DOCUMENTS = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);

const asking = DOCUMENTS.flatMap((document) =>
  blocksOf(document)
    .filter((block) => /\bread -/.test(block))
    .map((block) => [document, /'(.*?)'|"(.*?)"/.exec(block)?.[0] ?? '', block] as const),
);

/** Runs bash with these lines on its standard input, where `read` finds them too, as in a terminal. */
async function typed(lines: string, home: string): Promise<string> {
  const bash = spawn('/bin/bash', ['--norc'], {
    env: { PATH: '/nonexistent', HOME: home },
    cwd: home,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  bash.stdin.end(lines);
  return text(bash.stdout);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-blocks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Reports what `read` reads. */
const PRELUDE = `read() { builtin read "$@"; local -n answer="\${!#}"; printf '\\nGOT:%s\\n' "$answer"; }\n`;

describe('a block of commands that asks for something', () => {
  it('exists', () => {
    expect(asking.length).toBeGreaterThan(2);
  });

  it.each(asking)(
    'takes the answer and none of its own lines when it is pasted: %s, %s',
    async (_document, _prompt, block) => {
      const output = await typed(`${PRELUDE}${block}the answer\n`, makeFolder());
      expect(output.match(/^GOT:.*$/gm)).toEqual(['GOT:the answer']);
    },
  );
});

describe('the block that installs Node.js', () => {
  const ARCHITECTURE =
    spawnSync('uname', ['-m'], { encoding: 'utf8' }).stdout.trim() === 'aarch64' ? 'arm64' : 'x64';
  const FILE = `node-v26.99.1-linux-${ARCHITECTURE}.tar.xz`;

  /** Runs the block of the guide with a download of our own and another target; returns its output. */
  function install(checksumOf: (archive: Buffer) => string): {
    readonly code: number | null;
    readonly output: string;
  } {
    const folder = makeFolder();
    const [site, target] = [join(folder, 'site'), join(folder, 'target')];
    for (const each of [site, target, join(folder, 'node/bin')]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, 'node/bin/node'), '#!/bin/sh\necho v26.99.1 was installed\n', { mode: 0o755 });
    spawnSync('tar', ['-cJf', join(site, FILE), '-C', folder, 'node']);
    const checksum = checksumOf(readFileSync(join(site, FILE)));
    const others = [FILE.replace('linux', 'darwin'), `${FILE}.asc`, FILE.replace('.xz', '.gz')];
    const sums = [...others.map((name) => `${'0'.repeat(64)}  ${name}\n`), `${checksum}  ${FILE}\n`];
    writeFileSync(join(site, 'SHASUMS256.txt'), sums.join(''));
    const block = blocksOf('docs/GUIDE.md').find((each) => each.includes('SHASUMS256')) ?? '';
    const prelude = `sudo() { "$@"; }; curl() { cp "${site}/$(basename "\${!#}")" .; }\n`;
    const { status, stdout } = spawnSync('bash', ['-c', prelude + block.replaceAll('/usr/local', target)], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder },
    });
    return { code: status, output: stdout };
  }

  it('installs a download with the right checksum', () => {
    const { code, output } = install((archive) => createHash('sha256').update(archive).digest('hex'));
    expect(output).toBe(`${FILE}: OK\nv26.99.1 was installed\n`);
    expect(code).toBe(0);
  });

  it('installs nothing from a download with another checksum', () => {
    const { code, output } = install(() => 'f'.repeat(64));
    expect(output).toBe(`${FILE}: FAILED\n`);
    expect(code).not.toBe(0);
  });
});

it('the guide lets Prometheus and Alertmanager of Debian listen on this machine only', () => {
  const folder = makeFolder();
  const block = blocksOf('docs/GUIDE.md').find((each) => each.includes('/etc/default/')) ?? '';
  for (const name of ['prometheus', 'prometheus-alertmanager'])
    writeFileSync(join(folder, name), '# ARGS=\nARGS=""\n');
  const script = `sudo() { [ "$1" = apt ] || "$@"; }\n${block.replaceAll('/etc/default', folder)}`;
  expect(spawnSync('bash', ['-ec', script]).status).toBe(0);
  const argumentsOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(argumentsOf('prometheus')).toBe(
    '# ARGS=\nARGS="--web.listen-address=127.0.0.1:9090 --storage.tsdb.retention.time=400d"\n',
  );
  expect(argumentsOf('prometheus-alertmanager')).toBe(
    '# ARGS=\nARGS="--web.listen-address=127.0.0.1:9093 --cluster.listen-address="\n',
  );
});

it('the guide waits for every server that it has just started', () => {
  const requests = blocksOf('docs/GUIDE.md').flatMap(
    (block) => block.match(/^curl .*127\.0\.0\.1.*$/gm) ?? [],
  );
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.filter((request) => !request.includes(' --retry 10 --retry-connrefused '))).toEqual([]);
});
