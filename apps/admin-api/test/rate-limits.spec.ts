import { randomUUID } from 'node:crypto';
import type { Role } from '@lyceum/contracts';
import { RateLimiter } from '@lyceum/rate-limit';
import { BearerAuthenticator } from '@lyceum/resource-server';
import { mintToken, send, testInfrastructure } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { toolCaller } from './tool-caller.js';

const SCOPE = 'courses:write';
const PATH = '/api/v1/courses/019ab3c0-0000-7000-8000-000000000000/publish';
/** The documented limits: writes of a person with a client, writes of a person, and reads at a site. */
const [CLIENT, PERSON, SITE] = [200, 400, 6_000];
/** Items of a person with a client. */
const ITEMS = 2_500;

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const publish = (token: string, url = api.service.url): Promise<ReceivedResponse> =>
  send(url, 'POST', PATH, { host: api.sites[0].host, authorization: `Bearer ${token}` });

/** Takes units of a window of a minute at the first replica, in place of as many requests. */
async function spend(limit: { readonly name: string; readonly hits: number }, subject: string, units: number) {
  await api.service.app.get(RateLimiter).take({ ...limit, windowSeconds: 60 }, subject, units);
}

/** The caller with this token. */
const principalOf = (token: string) =>
  api.service.app
    .get(BearerAuthenticator)
    .authenticate(['authorization', `Bearer ${token}`], { ...api.sites[0], state: 'active' });

/** A token of the person with the role. Default client: the public client of the site. */
async function tokenOf(role: Role, client_id?: string): Promise<string> {
  const [site] = api.sites;
  const person = site.people.find(({ roles }) => roles.includes(role))!;
  const own = site.clients.find((one) => one.audience === 'operator' && one.client_secret === undefined)!;
  const { email, password } = person;
  const via = (await testInfrastructure()).auth.url;
  const client = { client_id: client_id ?? own.client_id, redirect_uris: own.redirect_uris };
  return (await mintToken({ site, via, email, password, ...client, scope: SCOPE })).access_token;
}

/** Registers a loopback client (RFC 7591). */
async function registerClient(): Promise<string> {
  const [{ host, clients }] = api.sites;
  const own = clients.find((one) => one.audience === 'operator' && one.client_secret === undefined)!;
  const { url } = (await testInfrastructure()).auth;
  const metadata = { client_name: 'Second client', redirect_uris: own.redirect_uris, scope: SCOPE };
  const headers = { host, 'content-type': 'application/json' };
  const { body, text } = await send<{ client_id?: string }>(url, 'POST', '/api/oauth/register', headers, metadata);
  if (body.client_id === undefined) throw new Error(text);
  return body.client_id;
}

function expectRefused({ status, body, headers }: ReceivedResponse, name: string, quota: number): void {
  expect([status, body]).toEqual([429, expect.objectContaining({ code: 'rate_limited', status: 429 })]);
  const wait = Number(headers['retry-after']);
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect(headers['ratelimit']).toBe(`"${name}";r=0;t=${wait}`);
  expect(headers['ratelimit-policy']).toBe(`"${name}";q=${quota};w=60`);
}

describe('the quota of a person with a client at a site', () => {
  it('accepts the documented number of writes at all replicas together, then returns 429', async () => {
    const replica = await api.replica();
    const token = await tokenOf('owner');
    const { site_id, person_id, client_id } = await principalOf(token);
    await spend({ name: 'write', hits: CLIENT }, `${site_id}:${person_id}:${client_id}`, CLIENT - 2);
    expect((await publish(token)).status).toBe(404);
    expect((await publish(token, replica.url)).status).toBe(404);
    expectRefused(await publish(token), 'write', CLIENT);
    expectRefused(await publish(token, replica.url), 'write', CLIENT);
    // Reads and the other site have separate quotas.
    expect((await api.send('GET', '/api/v1/courses')).status).toBe(200);
    expect((await api.send('POST', PATH, { site: api.sites[1] })).status).toBe(404);
  });

  it('separates people with the same client', async () => {
    expectRefused(await publish(await tokenOf('owner')), 'write', CLIENT);
    expect((await publish(await tokenOf('admin'))).status).toBe(404);
  });

  it('counts the remaining requests', async () => {
    const left = async () =>
      Number(/r=(\d+)/.exec((await api.send('GET', '/api/v1/courses')).headers['ratelimit'] ?? '')?.[1]);
    const first = await left();
    expect(await left()).toBe(first - 1);
  });
});

describe('the quota of a person over all clients of a site', () => {
  it('counts requests of all clients that a person registers', async () => {
    const [first, second] = [
      await tokenOf('admin', await registerClient()),
      await tokenOf('admin', await registerClient()),
    ];
    const { site_id, person_id } = await principalOf(first);
    // The test has sent one write by the client of the site above.
    await spend({ name: 'write-person', hits: PERSON }, `${site_id}:${person_id}`, PERSON - 3);
    for (const token of [first, second]) expect((await publish(token)).status).toBe(404);
    for (const token of [first, second]) expectRefused(await publish(token), 'write-person', PERSON);
  });
});

describe('the ceiling of a site', () => {
  it('limits all people and clients of a site together', async () => {
    const read = async (url: string, site = api.sites[0]) =>
      send<Record<string, unknown>>(url, 'GET', '/api/v1/courses', {
        host: site.host,
        authorization: `Bearer ${await api.token('courses:read', site)}`,
      });
    expect((await read(api.service.url)).status).toBe(200);
    await spend({ name: 'read-site', hits: SITE }, api.sites[0].site_id, SITE);
    // A new replica has no lease.
    const { url } = await api.replica();
    expectRefused(await read(url), 'read-site', SITE);
    expect((await read(url, api.sites[1])).status).toBe(200);
  });
});

describe('the quota of items', () => {
  it.each<[tool: string, argumentsOf: (count: number) => Promise<object>, table: string]>([
    ['enroll_students', enrollmentsOf, 'enrollments'],
    ['generate_coupons', couponsOf, 'coupons'],
  ])('counts what %s makes, and refuses a call beyond it before any work', async (tool, argumentsOf, table) => {
    const [site, person_id] = [api.sites[0], randomUUID()];
    // The test calls tools by this client.
    await spend({ name: 'items', hits: ITEMS }, `${site.site_id}:${person_id}:an-app`, ITEMS - 4);
    const rows = async () => {
      const counted = `select count(*)::int from ${table}`;
      const found = await withDatabase(api.databaseUrl, (client) => client.query<{ count: number }>(counted));
      return found.rows[0]?.count ?? 0;
    };
    const call = async (count: number) =>
      toolCaller(api).call(tool, await argumentsOf(count), { scopes: ['students:write', 'coupons:write'], person_id });
    const before = await rows();
    expect(await call(3)).not.toHaveProperty('ok');
    // The last item passes with the whole request.
    expect(await call(2)).not.toHaveProperty('ok');
    expect(await rows()).toBe(before + 5);
    expect(await call(1)).toMatchObject({ ok: false, code: 'rate_limited' });
    expect(await rows()).toBe(before + 5);
  });
});

async function enrollmentsOf(count: number): Promise<object> {
  const students = Array.from({ length: count }, () => ({ email: `${randomUUID()}@example.com` }));
  // The person who makes courses in tests has used up the writes of this minute.
  const text = `insert into courses (site_id, slug, name) values ($1, $2, 'Oil') returning id`;
  const { rows } = await withDatabase(api.databaseUrl, (client) =>
    client.query<{ id: string }>(text, [api.sites[0].site_id, unique('course')]),
  );
  return { students, course_id: rows[0]?.id };
}

function couponsOf(count: number): Promise<object> {
  return Promise.resolve({ name: 'Fair', count, discount: { kind: 'percentage', percent: 10 } });
}
