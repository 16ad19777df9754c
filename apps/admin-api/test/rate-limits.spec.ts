import { hash, randomUUID } from 'node:crypto';
import type { Role } from '@lyceum/contracts';
import { mintToken, send, testInfrastructure } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import pg from 'pg';
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

/** Sends writes to the services in turn, ten at a time. Returns the number of responses by status. */
async function publishTimes(count: number, token: string, urls = [api.service.url]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 10) {
    const batch = Array.from({ length: Math.min(10, count - sent) }, (_, index) =>
      publish(token, urls[index % urls.length]),
    );
    for (const { status } of await Promise.all(batch)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

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
    const urls = [api.service.url, replica.url];
    expect(await publishTimes(CLIENT + 60, token, urls)).toEqual({ 404: CLIENT, 429: 60 });
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
    const tokens: string[] = [];
    for (let n = 0; n < 3; n += 1) tokens.push(await tokenOf('admin', await registerClient()));
    const [first, second, third] = tokens as [string, string, string];
    expect(await publishTimes(CLIENT - 10, first)).toEqual({ 404: CLIENT - 10 });
    expect(await publishTimes(CLIENT - 10, second)).toEqual({ 404: CLIENT - 10 });
    // The test has sent one write by the client of the site above.
    expect(await publishTimes(40, third)).toEqual({ 404: 19, 429: 21 });
    expectRefused(await publish(third), 'write-person', PERSON);
    expectRefused(await publish(first), 'write-person', PERSON);
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
    const database = new pg.Client({ connectionString: api.databaseUrl });
    await database.connect();
    const key = hash('sha256', `read-site\n${api.sites[0].site_id}`, 'buffer');
    const spend = 'UPDATE rate_windows SET spent = $2, started_at = now() WHERE limit_key = $1';
    const { rowCount } = await database.query(spend, [key, SITE]);
    await database.end();
    expect(rowCount).toBe(1);
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
    const key = hash('sha256', `items\n${site.site_id}:${person_id}:an-app`, 'buffer');
    const query = (text: string, values: unknown[]) =>
      withDatabase(api.databaseUrl, (client) => client.query<{ count: number }>(text, values));
    await query('insert into rate_windows (limit_key, started_at, spent) values ($1, now(), $2)', [key, ITEMS - 1]);
    const rows = async () => (await query(`select count(*)::int from ${table}`, [])).rows[0]?.count ?? 0;
    const call = async (count: number) =>
      toolCaller(api).call(tool, await argumentsOf(count), { scopes: ['students:write', 'coupons:write'], person_id });
    const before = await rows();
    // The last item passes with the whole request.
    expect(await call(2)).not.toHaveProperty('ok');
    expect(await rows()).toBe(before + 2);
    expect(await call(1)).toMatchObject({ ok: false, code: 'rate_limited' });
    expect(await rows()).toBe(before + 2);
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
