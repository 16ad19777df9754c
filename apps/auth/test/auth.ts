import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { OutboundNetwork, createLogger, readConfiguration, startService } from '@lyceum/platform';
import type { CreateApplication } from '@lyceum/platform';
import { RateLimiter } from '@lyceum/rate-limit';
import { eventually, testDatabase, testInfrastructure } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { auth } from '#src/auth.definition.js';
import { authEnvironment } from '#src/auth.environment.js';
import { ApplySeed } from '#src/commands/apply.js';
import type { AppliedSeed, Seed } from '#src/commands/apply.js';
import { LIMITS } from '#src/limits/limits.js';
import { watchConnections } from './one-connection.js';
import { ResettableLimiter } from './resettable-limiter.js';

export const PASSWORD = 'correct-horse-battery';
export const CALLBACK = 'http://127.0.0.1:7777/callback';
export const SECRET = 'a-secret-for-tests-only';
/** The resource server that may introspect every token. */
export const RESOURCE_SERVER = { client_id: 'member-api', client_secret: 'a-resource-server-secret' };

const IDENTITY = ['openid', 'profile', 'email'];
const OPERATOR = ['courses:read', 'courses:write', 'students:read', 'orders:read', 'comments:read'];
const MEMBER = ['account:read', 'account:write'];

export type TestSite = AppliedSeed['sites'][number];

export interface TestAuth {
  readonly app: NestFastifyApplication;
  /** The address on 127.0.0.1, equal to the origin of the second site. */
  readonly url: string;
  readonly site: TestSite;
  readonly other: TestSite;
  /** Runs SQL on the service's database, to simulate time and to inspect rows. */
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Applies the definition to the deployment. */
  apply(seed: Seed): Promise<AppliedSeed>;
  /** Waits until no mail is queued. */
  mailsSent(): Promise<void>;
  /** Resets all windows of limits. */
  resetLimits(): Promise<void>;
  /** The next subject of the limit has spent this many units: no minute must be long enough for them. */
  spend(limit: keyof typeof LIMITS, units: number): void;
  stop(): Promise<void>;
}

const person = (name: string, ...roles: Seed['sites'][number]['people'] extends infer P ? Roles<P> : never) => ({
  email: `${name}@school.example`,
  name: `The ${name}`,
  password: PASSWORD,
  roles,
});
type Roles<P> = P extends readonly { roles: infer R }[] | undefined
  ? R extends readonly (infer Role)[]
    ? Role[]
    : never
  : never;

function clients(site: string) {
  return (['member', 'operator'] as const).flatMap((audience) => {
    const scopes = [...IDENTITY, ...(audience === 'member' ? MEMBER : OPERATOR)];
    const client = { audience, redirect_uris: [CALLBACK], scopes };
    return [
      { ...client, client_id: `${site}-${audience}`, name: `Public ${audience}` },
      { ...client, client_id: `${site}-${audience}-server`, name: `Confidential ${audience}`, client_secret: SECRET },
    ];
  });
}

/** Two sites: all people have a role at the first one, the stranger only at the other, and one person at both. */
function stage(port: number): Seed {
  return {
    sites: [
      {
        base_url: `http://localhost:${port}`,
        name: 'First School',
        slug: 'first',
        people: [
          person('owner', 'owner'),
          person('admin', 'admin'),
          person('lecturer', 'lecturer'),
          person('student', 'student'),
          person('both', 'student'),
        ],
        clients: clients('first'),
      },
      {
        base_url: `http://127.0.0.1:${port}`,
        name: 'Second School',
        slug: 'second',
        people: [person('stranger', 'student'), person('both', 'student')],
        clients: clients('second'),
      },
    ],
  };
}

/** The application with limits that a test can reset, and with documents of clients from `network`. */
function createWith(network: OutboundNetwork | undefined): CreateApplication {
  return async (root, adapter, options) => {
    const testing = Test.createTestingModule({ imports: [root] })
      .overrideProvider(RateLimiter)
      .useFactory({ inject: [ModuleRef], factory: (module: ModuleRef) => new ResettableLimiter(module) });
    if (network !== undefined) testing.overrideProvider(OutboundNetwork).useValue(network);
    const module = await testing.compile();
    return module.createNestApplication<NestFastifyApplication>(adapter, options);
  };
}

/** Environment of suites that wait until a replica sees a changed site. */
export const SOON_SEEN = { SITE_CACHE_MS: '200' } as const;

interface StartOptions {
  /** Without it the service runs with NATS down. */
  readonly nats?: Record<string, string>;
  readonly environment?: Record<string, string>;
  /** The network of client metadata documents, in place of the Internet. */
  readonly documents?: OutboundNetwork;
  /** Maps the URL of the database for the service. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Receives every line of the log, at every level, in place of the output of this process. */
  readonly log?: (line: string) => void;
}

/** The whole service in this process, with its own database. */
export async function startAuth(options: StartOptions = {}): Promise<TestAuth> {
  const { environments } = await testInfrastructure();
  const database = await testDatabase('auth');
  const config = readConfiguration(authEnvironment, {
    ...environments.auth,
    LOG_LEVEL: 'error',
    NATS_URL: 'nats://127.0.0.1:1',
    RESOURCE_SERVERS: JSON.stringify({ [RESOURCE_SERVER.client_id]: RESOURCE_SERVER.client_secret }),
    ...options.nats,
    ...options.environment,
    DATABASE_URL: (await options.through?.(database.url)) ?? database.url,
    PORT: '0',
    HOST: '127.0.0.1',
  });
  const { documents, log } = options;
  const logger = log && createLogger({ service: 'auth', level: 'trace', destination: { write: log } });
  const service = await startService(auth, config, logger, createWith(documents));
  const { app } = service;
  const checkConnections = watchConnections(app.get(DataSource));
  const sql = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    app.get(DataSource).query(text, [...values]);
  const apply = (seed: Seed): Promise<AppliedSeed> => app.get(ApplySeed).apply(seed);
  const [site, other] = (await apply(stage(Number(new URL(service.url).port)))).sites;
  if (site === undefined || other === undefined) throw new Error('The stage has two sites');
  return {
    app,
    url: service.url,
    site,
    other,
    sql,
    apply,
    async mailsSent() {
      const queued = `SELECT 1 FROM mails WHERE ended_at IS NULL
                      UNION ALL SELECT 1 FROM password_reset_requests WHERE ended_at IS NULL
                      UNION ALL SELECT 1 FROM email_link_requests WHERE ended_at IS NULL`;
      await eventually(
        () => sql(queued),
        (waiting) => waiting.length === 0,
      );
    },
    async resetLimits() {
      await app.get(DataSource).query('DELETE FROM rate_windows');
      app.get<ResettableLimiter>(RateLimiter).reset();
    },
    spend: (limit, units) => app.get<ResettableLimiter>(RateLimiter).spend(LIMITS[limit].name, units),
    async stop() {
      await service.close();
      await database.drop();
      checkConnections();
    },
  };
}
