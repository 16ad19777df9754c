import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OutboundNetwork, isPublicAddress } from '@lyceum/platform';
import { selfSigned } from '@lyceum/testing';
import { DocumentFetcher, FETCH_LIMITS } from '#src/client-documents/document.fetcher.js';
import type { Fetched } from '#src/client-documents/document.fetcher.js';
import { startDocumentHost } from './document-host.js';
import type { Responder, DocumentHost } from './document-host.js';

/** Ends the timeout of each fetch early. */
function hurry(): void {
  const { timeout } = AbortSignal;
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    expect(milliseconds).toBe(FETCH_LIMITS.milliseconds);
    return timeout.call(AbortSignal, 300);
  });
}

describe('Fetching a client metadata document', () => {
  let host: DocumentHost;

  beforeAll(async () => {
    host = await startDocumentHost();
  });
  beforeEach(() => host.requests.splice(0));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => host.stop());

  const fetch = (
    responder: Responder,
    { etag = null, network = {} }: { etag?: string | null; network?: Partial<OutboundNetwork> } = {},
  ): Promise<Fetched> => {
    host.serve('/c.json', responder);
    const fetcher = new DocumentFetcher({ ...host.network, ...network });
    return fetcher.fetch(new URL('https://app.example/c.json'), etag);
  };
  const respondWith =
    (headers: Record<string, string>, body: string | Buffer = '{}', status = 200): Responder =>
    (_request, response) =>
      void response.writeHead(status, headers).end(body);

  it('returns the text, the ETag and the freshness of a document', async () => {
    const headers = { 'content-type': 'application/json', etag: '"one"', 'cache-control': 'max-age=600' };
    expect(await fetch(respondWith(headers, '{"a":1}'))).toEqual({
      kind: 'found',
      text: '{"a":1}',
      etag: '"one"',
      freshSeconds: 600,
    });
    expect(host.requests).toEqual(['app.example /c.json']);
  });

  it('revalidates a document and accepts 304', async () => {
    const seen: unknown[] = [];
    const fetched = await fetch(
      (request, response) => {
        seen.push(request.headers['if-none-match'], request.headers['accept-encoding'], request.headers.cookie);
        response.writeHead(304, { 'cache-control': 'max-age=900' }).end();
      },
      { etag: '"one"' },
    );
    expect(fetched).toEqual({ kind: 'unchanged', freshSeconds: 900 });
    expect(seen).toEqual(['"one"', 'identity', undefined]);
  });

  it('refuses 304 without a stored document', async () => {
    expect(await fetch(respondWith({}, '', 304))).toMatchObject({ kind: 'invalid' });
  });

  it.each(['application/json; charset=utf-8', 'application/client+json', 'text/plain', ''])(
    'accepts the type %p as JSON',
    async (type) => {
      expect(await fetch(respondWith(type === '' ? {} : { 'content-type': type }))).toMatchObject({ kind: 'found' });
    },
  );

  it.each(['text/html', 'image/svg+xml', 'application/jsonp', 'multipart/form-data'])(
    'refuses the type %p as JSON',
    async (type) => {
      expect(await fetch(respondWith({ 'content-type': type }))).toMatchObject({ kind: 'invalid' });
    },
  );

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with %i', async (status) => {
    const fetched = await fetch(respondWith({ location: 'https://app.example/elsewhere' }, '', status));
    expect(fetched).toMatchObject({ kind: 'invalid' });
    expect(host.requests).toEqual(['app.example /c.json']);
  });

  it.each([204, 206, 400, 401, 404, 410])('treats the status %i as final', async (status) => {
    expect(await fetch(respondWith({}, '', status))).toMatchObject({ kind: 'invalid' });
  });

  it.each([429, 500, 502, 503])('treats the status %i as a temporary failure', async (status) => {
    expect(await fetch(respondWith({}, '', status))).toMatchObject({ kind: 'unreachable' });
  });

  it('accepts 5 KB, and not one byte more', async () => {
    const limit = FETCH_LIMITS.bytes;
    expect(await fetch(respondWith({}, 'x'.repeat(limit)))).toMatchObject({ kind: 'found' });
    expect(await fetch(respondWith({}, 'x'.repeat(limit + 1)))).toMatchObject({ kind: 'invalid' });
  });

  it('stops reading a body without length and end', async () => {
    let written = 0;
    const fetched = await fetch((_request, response) => {
      const timer = setInterval(() => {
        written += 1;
        response.write('x'.repeat(1024));
      }, 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(fetched).toMatchObject({ kind: 'invalid' });
    expect(written).toBeLessThan(1000);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'])('refuses a compressed body (%s)', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024));
    expect(bomb.length).toBeLessThan(FETCH_LIMITS.bytes);
    const fetched = await fetch(respondWith({ 'content-encoding': encoding }, bomb));
    expect(fetched).toMatchObject({ kind: 'invalid', error: expect.stringContaining('compressed') });
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await fetch(respondWith({}, Buffer.from([0x7b, 0xff, 0x7d])))).toMatchObject({ kind: 'invalid' });
  });

  it('refuses endless headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'x'.repeat(600)]));
    expect(await fetch(respondWith(headers))).toMatchObject({ kind: 'unreachable' });
  });

  it.each([
    ['never answers', () => undefined],
    ['stops after the headers', (_request, response) => response.writeHead(200).flushHeaders()],
    [
      'gives one byte at a time',
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ] satisfies [string, Responder][])('gives up on a host that %s', async (_name, responder) => {
    hurry();
    expect(await fetch(responder)).toMatchObject({ kind: 'unreachable' });
  });

  it('limits the number of concurrent fetches', async () => {
    host.serve('/c.json', respondWith({}));
    const fetcher = new DocumentFetcher(host.network);
    const fetchOnce = (): Promise<Fetched> => fetcher.fetch(new URL('https://app.example/c.json'), null);
    const kinds = (await Promise.all(Array.from({ length: FETCH_LIMITS.fetches + 1 }, fetchOnce))).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual([...Array<string>(FETCH_LIMITS.fetches).fill('found'), 'unreachable']);
    expect(await fetchOnce()).toMatchObject({ kind: 'found' });
  });

  it('gives up on a host name that does not resolve in time', async () => {
    hurry();
    const network = { resolve: () => new Promise<never>(() => undefined) };
    expect(await fetch(respondWith({}), { network })).toMatchObject({ kind: 'unreachable' });
    expect(await fetch(respondWith({}), { network: { resolve: () => Promise.resolve([]) } })).toMatchObject({
      kind: 'unreachable',
    });
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1'])(
    'refuses a host name that resolves to %s',
    async (address) => {
      const network = { resolve: () => Promise.resolve([address]), permits: isPublicAddress };
      expect(await fetch(respondWith({}), { network })).toMatchObject({ kind: 'unreachable' });
      expect(host.requests).toEqual([]);
    },
  );

  it('refuses connections to this machine in the production configuration', async () => {
    const fetched = await new DocumentFetcher(new OutboundNetwork()).fetch(new URL('https://localhost/c.json'), null);
    expect(fetched).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('not public') });
  });

  it('refuses a host name with one non-public address among several', async () => {
    const network = { resolve: () => Promise.resolve(['93.184.216.34', '127.0.0.1']), permits: isPublicAddress };
    expect(await fetch(respondWith({}), { network })).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('127.0.0.1'),
    });
  });

  it('resolves a host name once, which prevents DNS rebinding', async () => {
    const responses = ['127.0.0.1', '127.0.0.99'];
    const resolved: string[] = [];
    const network: Partial<OutboundNetwork> = {
      resolve: (name) => {
        resolved.push(name);
        return Promise.resolve([responses.shift() ?? '127.0.0.99']);
      },
      permits: (address) => address === '127.0.0.1',
    };
    expect(await fetch(respondWith({}), { network })).toMatchObject({ kind: 'found' });
    expect(resolved).toEqual(['app.example']);
    expect(await fetch(respondWith({}), { network })).toMatchObject({ kind: 'unreachable' });
    expect(host.requests).toHaveLength(1);
  });

  it('refuses a certificate of another name or an untrusted issuer', async () => {
    const { key, cert } = selfSigned(['evil.example']);
    const other = createServer({ key, cert }, (_request, response) => void response.end('{}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await fetch(respondWith({}), { network: { port, ca: cert } })).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('altnames'),
    });
    expect(await fetch(respondWith({}), { network: { port } })).toMatchObject({ kind: 'unreachable' });
    other.close();
  });
});
