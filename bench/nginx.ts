import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/process.ts';
import { sleep } from './measure.ts';

const PROGRAM = '/usr/sbin/nginx';

/** nginx with `gzip_static`: what a file server takes to send the same bytes. */
export type Nginx = { readonly pid: number; readonly port: number; readonly stop: () => Promise<void> };

export function hasNginx(): boolean {
  try {
    accessSync(PROGRAM);
    return true;
  } catch {
    return false;
  }
}

/** A directory whose `metrics.gz` is served at `/metrics`. */
export function createServedDirectory(): {
  readonly body: string;
  readonly path: string;
  readonly remove: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), 'hoster-exporter-bench-'));
  return { path, body: join(path, 'metrics.gz'), remove: () => rmSync(path, { recursive: true }) };
}

export async function startNginx(directory: string): Promise<Nginx> {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port));
  const child = spawn(PROGRAM, ['-p', directory, '-c', file, '-e', 'stderr'], { stdio: 'inherit' });
  await sleep(300);
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function configuration(directory: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log stderr crit;
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  default_type text/plain;
  server {
    listen 127.0.0.1:${port};
    root ${directory};
    gzip_static always;
  }
}
`;
}
