import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3FileStore, StoreUnavailable } from '../src/stores/s3.store.js';

type Send = (response: ServerResponse) => unknown;

/** Milliseconds. */
const WAIT = 1_000;
const BYTES = 8 * 1024 * 1024;
const ENDS_EARLY: Send = (response) => {
  response.writeHead(200, { 'content-length': 10 }).write('01234', () => response.destroy());
};

let server: Server;
let store: S3FileStore;
let copied: string;
let send = ENDS_EARLY;
const methods: string[] = [];
beforeAll(async () => {
  server = createServer(({ method = '', headers }, response) => {
    methods.push(method);
    if (headers['x-amz-copy-source'] !== undefined) return response.end(copied);
    if (method === 'DELETE') return response.writeHead(204).end();
    return send(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const account = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  store = new S3FileStore({ endpoint: `http://127.0.0.1:${port}`, bucket: 'school-files', ...account }, WAIT);
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  methods.splice(0);
  send = ENDS_EARLY;
});

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

it('leaves a slow reader more time than a store has', async () => {
  send = (response) => response.writeHead(200, { 'content-length': BYTES }).end(Buffer.alloc(BYTES));
  let bytes = 0;
  let pauses = 2;
  for await (const piece of (await store.read('files/a')) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (pauses > 0) await sleep(WAIT);
    pauses -= 1;
  }
  expect(bytes).toBe(BYTES);
});

it.each<[string, Send]>([
  ['stops within a file', (response) => response.writeHead(200, { 'content-length': 10 }).write('01234')],
  [
    'sends a file too slowly',
    (response) => {
      response.writeHead(200, { 'content-length': BYTES });
      const timer = setInterval(() => response.write('0'), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('reports a store that %s', async (_what, respond) => {
  send = respond;
  const read = (await store.read('files/a')).toArray();
  await expect(read).rejects.toThrow(StoreUnavailable);
  await expect(read).rejects.toThrow('The store did not send the whole file');
});

it('reports a store that does not respond to a read', async () => {
  send = () => undefined;
  const read = store.read('files/a');
  await expect(read).rejects.toThrow(StoreUnavailable);
  await expect(read).rejects.toThrow('The store does not answer');
});

it('ends the request of a reader that leaves early', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  send = (response) => {
    response.on('close', resolve);
    response.writeHead(200, { 'content-length': BYTES + 1 }).write(Buffer.alloc(BYTES));
  };
  for await (const piece of (await store.read('files/a')) as AsyncIterable<Buffer>) {
    expect(piece.length).toBeLessThan(BYTES);
    break;
  }
  await closed;
});
