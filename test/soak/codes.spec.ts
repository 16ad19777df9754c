import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BrowserSession } from '@lyceum/testing';
import { CodeWatch, type SeenCode, unexplained, wrongCodes } from './codes.js';

const windows = [{ fault: 'SIGKILL of auth 1', from: 1_000, to: 2_000 }];
const seen = (status: number, at: number, retryAfter = false): SeenCode => ({
  at,
  request: 'GET /',
  status,
  retryAfter,
});

describe('the codes of a soak', () => {
  it.each([
    ['a success', seen(201, 5_000)],
    ['a redirect', seen(303, 5_000)],
    ['503 with Retry-After during a fault', seen(503, 1_000, true)],
    ['429 with Retry-After at the end of a fault', seen(429, 2_000, true)],
  ])('accepts %s', (_case, code) => {
    expect(wrongCodes([code], windows)).toEqual([]);
  });

  it.each([
    ['503 without Retry-After', seen(503, 1_500)],
    ['503 before a fault', seen(503, 999, true)],
    ['503 after a fault', seen(503, 2_001, true)],
    ['500 during a fault', seen(500, 1_500, true)],
    ['401 during a fault', seen(401, 1_500)],
  ])('refuses %s', (_case, code) => {
    expect(wrongCodes([code], windows)).toEqual([code]);
  });
});

describe('the failures of clients in a soak', () => {
  it('accepts those that a fault explains', () => {
    const reasons = [
      '/courses: 503 {"code":"temporarily_unavailable"}',
      'no result but {"isError":true,"code":"temporarily_unavailable"}',
      'fetch failed (other side closed)',
      'tools/list: the tools are whoami, and were whoami,browse_catalog',
    ];
    expect(
      unexplained(
        reasons.map((reason) => ({ at: 1_500, reason })),
        windows,
      ),
    ).toEqual([]);
  });

  it.each([
    ['a wrong result during a fault', { at: 1_500, reason: '200 {"data":{"viewer":null}}' }],
    ['an explainable reason without a fault', { at: 3_000, reason: 'fetch failed (other side closed)' }],
  ])('refuses %s', (_case, failure) => {
    expect(unexplained([failure], windows)).toEqual([failure]);
  });
});

describe('the watch of codes', () => {
  const server = createServer((request, response) => {
    const isBusy = request.url?.startsWith('/busy') === true;
    response.writeHead(isBusy ? 503 : 200, isBusy ? { 'retry-after': '1' } : {}).end();
  });
  afterAll(() => server.close());

  it('sees each response of its origin, whichever client sent the request', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const watch = new CodeWatch(origin);
    const other = new CodeWatch('http://127.0.0.1:1');
    await (await fetch(`${origin}/busy?at=1`)).text();
    await new BrowserSession({ origin }).open('/page');
    watch.stop();
    other.stop();
    await (await fetch(`${origin}/later`)).text();
    expect(watch.seen.map(({ at: _at, ...code }) => code)).toEqual([
      { request: 'GET /busy', status: 503, retryAfter: true },
      { request: 'GET /page', status: 200, retryAfter: false },
    ]);
    expect(other.seen).toEqual([]);
  });
});
