import { API_ERROR_CODES } from '@lyceum/errors';
import { BODY_LIMIT } from '@lyceum/rest';
import { collections } from '#src/collections.js';
import { surface } from '#src/surface.js';
import { send } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

const ID = '019ab3c0-0000-7000-8000-000000000000';
let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

it('tests every route in the matrix of collections.spec.ts', () => {
  const walked = new Set<unknown>(collections.flatMap((module) => module.routes));
  expect(surface.routes.filter((route) => !walked.has(route))).toEqual([]);
});

describe('an invalid request', () => {
  const ask = async (method: string, path: string, asked: Parameters<TestApi['send']>[2] = {}) => {
    const response = await api.send(method, path, asked);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toMatchObject({
      status: response.status,
      request_id: response.headers['x-request-id'],
      instance: path,
    });
    expect(API_ERROR_CODES).toContain(response.body['code']);
    return [response.status, response.body['code']];
  };

  it('returns 404 at an unknown path', async () => {
    expect(await ask('GET', '/api/v1/invoices')).toEqual([404, 'not_found']);
    expect(await ask('GET', '/api/v2/courses')).toEqual([404, 'not_found']);
  });

  it('returns 405 with the allowed methods for another method', async () => {
    expect(await ask('DELETE', '/api/v1/courses')).toEqual([405, 'method_not_allowed']);
    const { headers } = await api.send('PUT', `/api/v1/courses/${ID}`);
    expect(headers['allow']?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
  });

  it('returns 413 above the limit of bodies, not at it', async () => {
    const body = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    const headers = { 'content-type': 'application/json' };
    expect(Buffer.byteLength(body(BODY_LIMIT))).toBe(BODY_LIMIT);
    expect(await ask('POST', '/api/v1/courses', { body: body(BODY_LIMIT), headers })).toEqual([
      422,
      'validation_failed',
    ]);
    expect(await ask('POST', '/api/v1/courses', { body: body(BODY_LIMIT + 1), headers })).toEqual([
      413,
      'payload_too_large',
    ]);
  });

  it.each([
    ['POST', '/api/v1/courses', 'application/json'],
    ['PATCH', `/api/v1/courses/${ID}`, 'application/merge-patch+json'],
    ['POST', '/api/v1/students', 'application/json'],
  ])('returns 400 when the body of %s %s nests deeper than 64 levels', async (method, path, type) => {
    const headers = { 'content-type': type };
    const nested = (levels: number) => `{"tags":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(await ask(method, path, { body: nested(64), headers })).toEqual([422, 'validation_failed']);
    for (const levels of [65, 50_000]) {
      expect(await ask(method, path, { body: nested(levels), headers })).toEqual([400, 'invalid_request']);
    }
  });

  it('returns 421 under an unknown host', async () => {
    const response = await send<{ code: string }>(api.service.url, 'GET', '/api/v1/courses', {
      host: 'elsewhere.example',
    });
    expect([response.status, response.body.code]).toEqual([421, 'unknown_host']);
  });

  it('lists at most fifty errors of a body', async () => {
    const tags = Array.from({ length: 50 }, () => '');
    const response = await api.send<{ errors: unknown[] }>('POST', '/api/v1/courses', {
      body: { tags, a: 1, b: 2, c: 3 },
    });
    expect(response.body.errors).toHaveLength(50);
  });
});

it('echoes a valid request id', async () => {
  const kept = await api.send('GET', '/api/v1/courses', { headers: { 'x-request-id': 'mine-1' } });
  expect(kept.headers['x-request-id']).toBe('mine-1');
  const replaced = await api.send('GET', '/api/v1/courses', { headers: { 'x-request-id': 'x'.repeat(129) } });
  expect(replaced.headers['x-request-id']).not.toBe('x'.repeat(129));
});

it('answers HEAD as GET without a body', async () => {
  const get = await api.send('GET', '/api/v1/courses');
  const head = await api.send('HEAD', '/api/v1/courses');
  expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', get.headers['etag']]);
});
