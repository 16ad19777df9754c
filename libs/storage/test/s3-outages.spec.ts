import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3FileStore, StoreUnavailable } from '../src/stores/s3.store.js';

let server: Server;
let store: S3FileStore;
let copied: string;
const methods: string[] = [];
beforeAll(async () => {
  server = createServer(({ method = '', headers }, response) => {
    methods.push(method);
    if (headers['x-amz-copy-source'] !== undefined) return response.end(copied);
    if (method === 'DELETE') return response.writeHead(204).end();
    response.writeHead(200, { 'content-length': 10 });
    return response.write('01234', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const account = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  store = new S3FileStore({ endpoint: `http://127.0.0.1:${port}`, bucket: 'school-files', ...account });
});
afterAll(() => server.close());
beforeEach(() => methods.splice(0));

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

it.each([
  ['an error', `${XML}\n\n<Error><Code>InternalError</Code></Error>`],
  ['no result', ''],
  ['the name of a result in an error', '<Error><Message><CopyObjectResult/></Message></Error>'],
])('keeps the source when the store responds to a copy with 200 and %s', async (_what, body) => {
  copied = body;
  const moved = store.move('uploads/a', 'files/a');
  await expect(moved).rejects.toThrow(StoreUnavailable);
  await expect(moved).rejects.toThrow('The store did not copy the file');
  expect(methods).toEqual(['PUT']);
});

it('deletes the source after a successful copy', async () => {
  copied = `${XML}\n   \n<CopyObjectResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><ETag>"a"</ETag></CopyObjectResult>`;
  await store.move('uploads/a', 'files/a');
  expect(methods).toEqual(['PUT', 'DELETE']);
});

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
