import { mkdtempSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@lyceum/contracts';
import { type NatsServer, type Postgres, type Stack, startNats, startPostgres, startStack } from '@lyceum/local';
import { PATIENT_SETTINGS, eventually, mintToken } from '@lyceum/testing';
import { graphql } from '../clients/http.js';
import { clientOf, personOf } from './system-stack.js';

interface Courses {
  readonly viewer: { readonly enrolledCourses: { readonly nodes: readonly unknown[] } };
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
    const scope = 'openid account:read';
    const token = await mintToken({ site, ...personOf(site, 'student'), ...clientOf(site, 'member', 'public'), scope });
    const { body } = await eventually(
      () =>
        graphql<Courses>(
          site.base_url,
          token.access_token,
          '{ viewer { enrolledCourses(first: 9) { nodes { slug } } } }',
        ),
      (response) => response.body.data?.viewer.enrolledCourses.nodes.length === 2,
    );
    expect(body.errors).toBeUndefined();
  });

  it('leaves them running when it stops', async () => {
    await stack.stop();
    expect(postgres.pids().length).toBeGreaterThan(3);
    expect(() => process.kill(nats.pid!, 0)).not.toThrow();
  });
});
