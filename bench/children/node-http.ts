import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { answerQuestions } from './answers.ts';

/** What Node's own server takes for the same bytes, without anything of ours. Parameter: the body, as gzip. */
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
  answerQuestions({ port: () => [typeof address === 'object' ? (address?.port ?? 0) : 0] });
});
