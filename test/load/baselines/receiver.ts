import { createServer } from 'node:http';
import { once } from 'node:events';
import { serve } from './serve.ts';

/** Receives files and drops them: the cost of the connections and of the sender alone. */
serve<object>(async () => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
});
