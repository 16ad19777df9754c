import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { uuidv7 } from '@lyceum/platform';
import type { FileStore, ListedFile } from '../src/stores/file-store.js';
import { LocalFileStore } from '../src/stores/local.store.js';
import { startS3Stores } from './s3-stores.js';
import type { S3Stores } from './s3-stores.js';

let directory: string;
let server: S3Stores;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'));
  server = await startS3Stores();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

const promised = (bytes: Buffer) => ({
  bytes: bytes.length,
  content_type: 'text/plain',
  sha256: hash('sha256', bytes),
});
const textOf = async (stream: Promise<Readable>): Promise<string> =>
  Buffer.concat((await (await stream).toArray()) as Buffer[]).toString();

async function listed(store: FileStore, prefix: string): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for await (const file of store.list(prefix)) found.push(file);
  return found;
}

describe.each<[string, () => FileStore]>([
  ['a directory', () => new LocalFileStore(directory, [randomBytes(32)])],
  ['a bucket', () => server.store],
])('files in %s', (_name, storeOf) => {
  const bytes = Buffer.from('0123456789');

  it('puts, finds, reads in parts, moves and deletes', async () => {
    const store = storeOf();
    const [from, to] = [`uploads/${uuidv7()}`, `files/${uuidv7()}`];
    await store.put(from, Readable.from([bytes]), promised(bytes));
    expect(await store.head(from)).toMatchObject({ bytes: 10 });
    expect(await textOf(store.read(from))).toBe('0123456789');
    expect(await textOf(store.read(from, { start: 2, end: 4 }))).toBe('234');
    await store.move(from, to);
    expect([await store.head(from), await textOf(store.read(to))]).toEqual([undefined, '0123456789']);
    await store.delete(to);
    await store.delete(to);
    expect(await store.head(to)).toBeUndefined();
  });

  it('joins files in the given order, and leaves them', async () => {
    const store = storeOf();
    const group = `exports/${uuidv7()}`;
    const contents = ['first\n', 'x'.repeat(700_000), '', 'last'];
    const keys = contents.map((_content, index) => `${group}/part-${index}`);
    for (const [index, content] of contents.entries()) {
      const part = Buffer.from(content);
      await store.put(keys[index] ?? '', Readable.from(part.length === 0 ? [] : [part]), promised(part));
    }
    const to = { key: `${group}/whole`, content_type: 'text/plain' };
    await store.concat(keys, to, new AbortController().signal);
    expect((await textOf(store.read(to.key))) === contents.join('')).toBe(true);
    expect(await listed(store, `${group}/`)).toHaveLength(keys.length + 1);
  });

  it('joins nothing when a file is missing, the signal aborts or the key is none', async () => {
    const store = storeOf();
    const group = `exports/${uuidv7()}`;
    const [one, to] = [`${group}/one`, { key: `${group}/whole`, content_type: 'text/plain' }];
    await store.put(one, Readable.from([bytes]), promised(bytes));
    const signal = new AbortController().signal;
    await expect(store.concat([one, `${group}/none`], to, signal)).rejects.toThrow(/ENOENT|responded with 404/);
    await expect(store.concat([one], to, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    await expect(store.concat([one], { ...to, key: '../whole' }, signal)).rejects.toThrow('is no key of a file');
    expect((await listed(store, `${group}/`)).map(({ key }) => key)).toEqual([one]);
  });

  it('lists by the prefix of keys', async () => {
    const store = storeOf();
    const group = `uploads/${uuidv7()}`;
    const keys = ['a', 'b', 'c'].map((name) => `${group}/${name}`);
    for (const key of keys) await store.put(key, Readable.from([bytes]), promised(bytes));
    const found = await listed(store, `${group}/`);
    expect(found.map(({ key }) => key).toSorted()).toEqual(keys);
    expect(found.every(({ modified_at }) => Math.abs(Date.now() - modified_at.getTime()) < 600_000)).toBe(true);
    expect(await listed(store, 'uploads/none/')).toEqual([]);
  });

  it.each([
    '../a/b',
    'uploads/../../a',
    '/etc/passwd',
    'uploads//a',
    'uploads/A',
    'uploads/a.b',
    'a',
    '',
    'a/b%2f',
    'a\\b/c',
  ])('rejects the key %j', async (key) => {
    const store = storeOf();
    await expect(store.head(key)).rejects.toThrow('is no key of a file');
    await expect(store.put(key, Readable.from([bytes]), promised(bytes))).rejects.toThrow('is no key of a file');
    await expect(store.move('uploads/a', key)).rejects.toThrow('is no key of a file');
    await expect(store.delete(key)).rejects.toThrow('is no key of a file');
  });
});

/** A request with this piece as its body. */
function requestOf(piece: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.push(piece);
  request.push(null);
  return request;
}

describe('a file that arrives in a directory', () => {
  const bytes = Buffer.from('0123456789');

  it.each([
    ['size_mismatch', bytes.subarray(1)],
    ['size_mismatch', Buffer.concat([bytes, bytes])],
    ['sha256_mismatch', Buffer.from('012345678x')],
  ])('fails with %s, and leaves nothing', async (reason, sent) => {
    const store = new LocalFileStore(directory, [randomBytes(32)]);
    const key = `uploads/${uuidv7()}`;
    await expect(store.put(key, Readable.from([sent]), promised(bytes))).rejects.toMatchObject({ reason });
    expect(await store.head(key)).toBeUndefined();
    expect(await readdir(join(directory, '.incoming'))).toEqual([]);
  });

  it('leaves nothing when its sender goes away', async () => {
    const store = new LocalFileStore(directory, [randomBytes(32)]);
    const sender = new Readable({ read: () => undefined });
    sender.push(bytes.subarray(5));
    const arrived = store.put(`uploads/${uuidv7()}`, sender, promised(bytes));
    setImmediate(() => sender.destroy(new Error('gone')));
    await expect(arrived).rejects.toThrow('gone');
    expect(await readdir(join(directory, '.incoming'))).toEqual([]);
  });

  it('deletes what a killed replica has left, and keeps what still arrives', async () => {
    const own = join(directory, 'of-a-killed-replica');
    const store = new LocalFileStore(own, [randomBytes(32)]);
    const before = new Date(Date.now() - 86_400_000);
    await expect(store.discardIncomplete(before)).resolves.toBeUndefined();
    const key = `uploads/${uuidv7()}`;
    await store.put(key, Readable.from([bytes]), promised(bytes));
    for (const [name, age] of Object.entries({ left: 86_401_000, arriving: 60_000 })) {
      const path = join(own, '.incoming', name);
      await writeFile(path, bytes);
      await utimes(path, new Date(), new Date(Date.now() - age));
    }
    await store.discardIncomplete(before);
    expect(await readdir(join(own, '.incoming'))).toEqual(['arriving']);
    expect(await store.head(key)).toEqual({ bytes: bytes.length });
  });

  it('keeps the memory of a file that the caller has, and frees that of a request', async () => {
    const store = new LocalFileStore(directory, [randomBytes(32)]);
    const [own, received] = [Buffer.from(new Uint8Array(70_000)), Buffer.from(new Uint8Array(70_000))];
    const [kept, freed] = [`uploads/${uuidv7()}`, `uploads/${uuidv7()}`];
    await store.put(kept, Readable.from([own]), promised(own));
    await store.receive(freed, requestOf(received), promised(received));
    expect([own.byteLength, received.byteLength]).toEqual([70_000, 0]);
    expect((await textOf(store.read(freed))) === '\0'.repeat(70_000)).toBe(true);
  });

  it('frees no memory that a piece of a request shares', async () => {
    const store = new LocalFileStore(directory, [randomBytes(32)]);
    const whole = Buffer.from(new Uint8Array(100));
    const piece = whole.subarray(0, 10);
    await store.receive(`uploads/${uuidv7()}`, requestOf(piece), promised(piece));
    expect([whole.byteLength, piece.byteLength]).toEqual([100, 10]);
  });

  it('takes the pieces of a hundred files in turn, and stores each', async () => {
    const store = new LocalFileStore(directory, [randomBytes(32)]);
    const pieces = Array.from({ length: 3 }, () => randomBytes(1_000));
    const whole = Buffer.concat(pieces);
    const keys = Array.from({ length: 100 }, () => `uploads/${uuidv7()}`);
    await Promise.all(keys.map((key) => store.put(key, Readable.from(pieces), promised(whole))));
    const stored = await Promise.all(keys.map(async (key) => (await store.head(key))?.bytes));
    expect(new Set(stored)).toEqual(new Set([3_000]));
    expect(await readdir(join(directory, '.incoming'))).toEqual([]);
  });
});
