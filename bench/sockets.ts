import { readdirSync, readFileSync } from 'node:fs';

/** The states in which a process still holds a socket: established, and closed by the other end only. */
const HELD = new Set(['01', '08']);

/** 127.0.0.1, as the system writes it; others have ports of their own, which may be the same. */
const LOOPBACK = '0100007F';

/** Counts the connections that the listener at this port of 127.0.0.1 holds (Linux only). */
export function connectionsAt(port: number): number {
  const [, ...lines] = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n');
  const place = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return lines.filter((line) => {
    const [, local = '', , state = '', , , , , , inode = '0'] = line.trim().split(/\s+/);
    return local === place && HELD.has(state) && inode !== '0';
  }).length;
}

/** Counts the open files and sockets of a process (Linux only); cheap with any number of connections. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
