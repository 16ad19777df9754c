import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3FileStore, StoreUnavailable } from '../src/stores/s3.store.js';

let server: Server;
let store: S3FileStore;
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('01234', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const account = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  store = new S3FileStore({ endpoint: `http://127.0.0.1:${port}`, bucket: 'school-files', ...account });
});
afterAll(() => server.close());

it('reports a file that ends too early', async () => {
  const file = await store.read('files/a');
  const pieces: Buffer[] = [];
  const read = (async () => {
    for await (const piece of file as AsyncIterable<Buffer>) pieces.push(piece);
  })();
  await expect(read).rejects.toThrow(StoreUnavailable);
  await expect(read).rejects.toThrow('The store did not send the whole file');
  expect(Buffer.concat(pieces).length).toBeLessThan(10);
});
