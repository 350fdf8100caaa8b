import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { handleRequests } from './handlers.ts';

/** Node's own server with the same bytes, for comparison. Parameter: the body, as gzip. */
const body = readFileSync(process.argv[2] ?? '');

const server = createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'content-encoding': 'gzip',
    'content-length': body.length,
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  handleRequests({ port: () => [typeof address === 'object' ? (address?.port ?? 0) : 0] });
});
