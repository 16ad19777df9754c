import { mkdtempSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { type NatsServer, type Postgres, type Stack, startNats, startPostgres, startStack } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, mintToken } from '@lyceum/testing';
import { graphql, send, studentAt } from '../clients/http.js';
import { clientOf, personOf } from './system-stack.js';

interface Courses {
  readonly viewer: { readonly enrolledCourses: { readonly nodes: readonly unknown[] } } | null;
}

describe('a stack on external servers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-others-'));
  let postgres: Postgres;
  let nats: NatsServer;
  let stack: Stack;

  beforeAll(async () => {
    [postgres, nats] = await Promise.all([
      startPostgres({
        directory: join(directory, 'postgres'),
        databases: ['auth', 'school', 'learner'],
        durable: false,
      }),
      startNats({ directory: join(directory, 'nats'), durable: false }, {}),
    ]);
    stack = await startStack({
      directory: join(directory, 'stack'),
      durable: false,
      // The import of the demo is the same with all servers.
      filled: false,
      settings: Object.fromEntries(SERVICES.map((name) => [name, PATIENT_SETTINGS])),
      environment: {
        DATABASE_URL_AUTH: postgres.url('auth'),
        DATABASE_URL_SCHOOL: postgres.url('school'),
        DATABASE_URL_LEARNER: postgres.url('learner'),
        NATS_URL: nats.url,
        // One user and one account for all services, as on a plain server.
        NATS_USER: 'admin',
        NATS_PASSWORD: nats.userPassword('admin'),
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([nats?.stop(), postgres?.stop()]);
    rmSync(directory, { recursive: true });
  });

  it('starts no servers, and delivers events', async () => {
    expect(stack.postgres).toBeUndefined();
    expect(existsSync(join(directory, 'stack', 'postgres'))).toBe(false);
    expect(existsSync(join(directory, 'stack', 'nats'))).toBe(false);
    const site = stack.sites[0]!;
    const mint = async (role: string, audience: 'member' | 'operator', scope: string): Promise<string> =>
      (await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope })).access_token;
    const [operator, member] = await Promise.all([
      mint('owner', 'operator', 'openid courses:write students:write'),
      mint('student', 'member', 'openid account:read'),
    ]);
    const write = async (path: string, json: object = {}): Promise<string> => {
      const { status, body } = await send<{ id: string }>(`${site.base_url}/api/v1${path}`, { token: operator, json });
      expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
      return body.id;
    };
    const course_id = await write('/courses', { name: 'On external servers', slug: 'external' });
    await write(`/courses/${course_id}/publish`);
    const student = await studentAt(site, operator, personOf(site, 'student'));
    await write(`/students/${student}/enrollments`, { course_id });
    const { body } = await eventually(
      () => graphql<Courses>(site.base_url, member, '{ viewer { enrolledCourses(first: 9) { nodes { slug } } } }'),
      (response) => response.body.data?.viewer?.enrolledCourses.nodes.length === 1,
    );
    expect(body.data?.viewer?.enrolledCourses.nodes).toEqual([{ slug: 'external' }]);
    expect(body.errors).toBeUndefined();
  });

  it('leaves them running when it stops', async () => {
    await stack.stop();
    expect(postgres.pids().length).toBeGreaterThan(3);
    expect(() => process.kill(nats.pid!, 0)).not.toThrow();
  });
});
