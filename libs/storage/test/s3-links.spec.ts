import { hash } from 'node:crypto';
import { uuidv7 } from '@lyceum/platform';
import type { SignedUpload, UploadLink } from '../src/stores/file-store.js';
import { startS3Stores } from './s3-stores.js';
import type { S3Stores } from './s3-stores.js';

const HOUR = 3_600_000;
const BODY = 'a,b\n1,2\n';
const SITE = { base_url: 'https://school.example' };

let server: S3Stores;
beforeAll(async () => {
  server = await startS3Stores();
});
afterAll(() => server.stop());

function linkOf(more: Partial<UploadLink> = {}): UploadLink {
  const key = `uploads/${uuidv7()}`;
  const time = { from: new Date(), until: new Date(Date.now() + HOUR) };
  const promised = { bytes: BODY.length, content_type: 'text/csv', sha256: hash('sha256', BODY) };
  return { ...SITE, key, ...time, ...promised, ...more };
}

async function put({ url, headers }: SignedUpload, { body = BODY, more = {} } = {}): Promise<number> {
  const response = await fetch(url, { method: 'PUT', body, headers: { ...headers, ...more } });
  await response.arrayBuffer();
  return response.status;
}

describe('an upload link', () => {
  it('accepts the promised file, and no other key, length, type, checksum or signature', async () => {
    const link = linkOf();
    const signed = await server.store.presignPut(link);
    const changed = (from: string | RegExp, to: string): SignedUpload => ({
      ...signed,
      url: signed.url.replace(from, to),
    });
    const last = signed.url.endsWith('0') ? '1' : '0';
    expect(await put(changed(/.$/, last))).toBe(403);
    expect(await put(changed(link.key, 'uploads/other'))).toBe(403);
    expect(await put(changed('X-Amz-Expires=3600', 'X-Amz-Expires=7200'))).toBe(403);
    expect(await put(signed, { body: `${BODY}x` })).toBe(403);
    expect(await put(signed, { more: { 'content-type': 'text/html' } })).toBe(403);
    expect(await put(signed, { more: { 'x-amz-checksum-sha256': 'AAAA' } })).toBe(403);
    expect(await server.store.head(link.key)).toBeUndefined();
    expect(await put(signed)).toBe(200);
    expect(await server.store.head(link.key)).toMatchObject({ bytes: BODY.length });
  });

  it('fails when its signer has another secret', async () => {
    expect(await put(await server.stranger.presignPut(linkOf()))).toBe(403);
  });

  it('expires', async () => {
    const at = (ago: number) => ({ from: new Date(Date.now() - ago), until: new Date(Date.now() - ago + HOUR) });
    expect(await put(await server.store.presignPut(linkOf(at(HOUR - 60_000))))).toBe(200);
    expect(await put(await server.store.presignPut(linkOf(at(HOUR + 2_000))))).toBe(403);
  });

  it('stays the same for the same file and period', async () => {
    const link = linkOf();
    expect(await server.store.presignPut(link)).toEqual(await server.store.presignPut(link));
  });
});

describe('a download link', () => {
  it('sends the file as a download with its name and type, until it expires', async () => {
    const link = linkOf();
    await put(await server.store.presignPut(link));
    const download = { ...link, filename: 'grades 2026.csv' };
    const response = await fetch(await server.store.presignGet(download));
    expect([response.status, await response.text()]).toEqual([200, BODY]);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="grades 2026.csv"');
    expect(response.headers.get('content-type')).toBe('text/csv');
    const url = await server.store.presignGet({ ...download, from: new Date(Date.now() - HOUR), until: new Date() });
    expect((await fetch(url.replace('grades', 'trades'))).status).toBe(403);
    const old = { from: new Date(Date.now() - 2 * HOUR), until: new Date(Date.now() - HOUR) };
    expect((await fetch(await server.store.presignGet({ ...download, ...old }))).status).toBe(403);
  });
});

it('reports a store that refuses or does not answer', async () => {
  await expect(server.stranger.head('files/a')).rejects.toThrow('The store responded with 403');
  await expect(server.store.read('files/absent')).rejects.toThrow('The store responded with 404');
});
