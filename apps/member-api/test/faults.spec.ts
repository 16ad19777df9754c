import { databaseGate } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { LogLine, TestApi } from './member-api.js';

const QUERY =
  '{ viewer { name first: enrolledCourses { nodes { slug } } notifications { nodes { title } } unreadNotificationCount } }';

let api: TestApi;
let database: pg.Client;

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  const { person_id } = api.student();
  const { site_id } = api.sites[0];
  await api.world.person({ person_id });
  await api.world.role({ person_id, site_id });
  const { course_id } = await api.world.course({ site_id, slug: 'knots' });
  await api.world.enrollment({ site_id, person_id, course_id });
  await api.until(QUERY, ({ viewer }) => viewer?.unreadNotificationCount === 1);
});
afterAll(() => api.stop());

/** Breaks one part of the database while `work` runs. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await database.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  try {
    return await work();
  } finally {
    await database.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  }
}

describe('an error in one list', () => {
  it('nulls only the list that failed, with its path', async () => {
    const { status, body, text } = await without('notifications', () =>
      api.query(QUERY, { headers: { 'x-request-id': 'mine' } }),
    );
    expect([status, body.data]).toEqual([
      200,
      {
        viewer: {
          name: 'Ada Example',
          first: { nodes: [{ slug: 'knots' }] },
          notifications: null,
          unreadNotificationCount: 1,
        },
      },
    ]);
    expect(body.errors).toEqual([
      {
        message: expect.stringContaining('The fault is ours'),
        locations: [{ line: 1, column: 59 }],
        path: ['viewer', 'notifications'],
        extensions: { code: 'INTERNAL', requestId: 'mine' },
      },
    ]);
    expect(text).not.toMatch(/relation|notification n|SELECT|42P01|at .*\.[jt]s/);
  });

  it('returns the list again after the error is gone', async () => {
    const { body } = await api.query(QUERY);
    expect(body.errors).toBeUndefined();
    expect(body.data.viewer.notifications.nodes).toHaveLength(1);
  });
});

describe('an error of the whole query', () => {
  it('masks an unexpected error', async () => {
    const { status, body, text } = await without('memberships', () => api.query(QUERY));
    expect([status, body.data]).toEqual([200, { viewer: null }]);
    expect(body.errors).toMatchObject([{ path: ['viewer'], extensions: { code: 'INTERNAL' } }]);
    expect(text).not.toMatch(/membership|SELECT|42P01/);
  });

  it('masks an unexpected error of a mutation and rolls it back', async () => {
    const mutation = 'mutation { markNotificationRead(input: { notificationId: "x" }) { unreadNotificationCount } }';
    const { status, body, text } = await without('inbox_counts', () => api.query(mutation));
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors).toMatchObject([{ path: ['markNotificationRead'], extensions: { code: 'INTERNAL' } }]);
    expect(text).not.toMatch(/inbox_count|42P01/);
  });
});

describe('an error before the execution', () => {
  it('counts a response with 500 as INTERNAL', async () => {
    const { url, managementUrl } = await api.replica();
    const counted = async (): Promise<number> => {
      const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
      return Number(/^graphql_responses_total\{.*outcome="INTERNAL".*\} (\d+)$/m.exec(metrics)?.[1]);
    };
    const before = await counted();
    const { status, body } = await without('rate_windows', () => api.query(QUERY, { url }));
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([500, 'INTERNAL']);
    expect(await counted()).toBe(before + 1);
  });
});

describe('a missing database', () => {
  it('reports a missing database as temporary, without a challenge', async () => {
    const url = new URL(api.databaseUrl);
    url.port = '9';
    const lonely = await api.replica({ DATABASE_URL: url.href }, ['sites']);
    const response = await api.query(QUERY, { url: lonely.url });
    expect([response.status, response.body.errors?.[0]?.extensions.code]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.headers['www-authenticate']).toBeUndefined();
  });
});

describe('a database outage', () => {
  it('logs one warning without a stack per failed read, and recovers after the outage', async () => {
    const gate = await databaseGate(api.databaseUrl);
    const log: LogLine[] = [];
    const replica = await api.replica({ DATABASE_URL: gate.url }, undefined, log);
    const queryViewer = (requestId: string) =>
      api.query(QUERY, { url: replica.url, headers: { 'x-request-id': requestId } });
    expect((await queryViewer('before')).body.data.viewer.name).toBe('Ada Example');
    gate.shut();
    const requests = ['outage-1', 'outage-2', 'outage-3'];
    const responses = await Promise.all(requests.map(queryViewer));

    for (const { status, body } of responses) {
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([200, 'TEMPORARILY_UNAVAILABLE']);
    }
    for (const id of requests) {
      const lines = log.filter(({ request_id }) => request_id === id);
      expect(lines).toEqual([expect.objectContaining({ level: 'warn' })]);
      expect(JSON.stringify(lines)).not.toMatch(/"stack"|\bat .*\.[jt]s:/);
    }
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    gate.open();
    await api.until(QUERY, ({ viewer }) => viewer?.name === 'Ada Example', { url: replica.url });
    await replica.close();
    await gate.close();
  });

  it('logs an unexpected error once, with its stack', async () => {
    const log: LogLine[] = [];
    const replica = await api.replica({}, undefined, log);
    const headers = { 'x-request-id': 'faulty' };
    await without('memberships', () => api.query(QUERY, { url: replica.url, headers }));
    const errors = log.filter(({ request_id, level }) => request_id === 'faulty' && level === 'error');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain('stack');
    await replica.close();
  });
});

describe('missing NATS', () => {
  it('serves queries without NATS', async () => {
    await api.nats.stop();
    const { body } = await api.query(QUERY);
    expect(body.data.viewer.name).toBe('Ada Example');
  });
});
