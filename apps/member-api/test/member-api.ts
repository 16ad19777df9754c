import { createLogger, readConfiguration, startService } from '@lyceum/platform';
import type { CreateApplication, RunningService } from '@lyceum/platform';
import {
  eventually,
  send,
  surfaceToken,
  testDatabase,
  testInfrastructure,
  testNats,
  untilReady,
} from '@lyceum/testing';
import type { ReceivedResponse as AnsweredWith, TestNats, TestSite } from '@lyceum/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { TestingModuleBuilder } from '@nestjs/testing';
import pg from 'pg';
import { environment } from '#src/configuration.js';
import type { Configuration } from '#src/configuration.js';
import { CostPointsSettings } from '#src/cost-points/cost-points.service.js';
import { memberApi } from '#src/member-api.js';
import { World } from './world.js';

export interface Person {
  readonly person_id: string;
  /** `sub` at the site. */
  readonly member_id: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export interface RequestOptions {
  /** URL of a replica; the first one by default. */
  readonly url?: string;
  readonly method?: string;
  readonly path?: string;
  readonly site?: TestSite;
  /** Null sends none. Default: a member's token with both account scopes. */
  readonly token?: string | null;
  readonly variables?: Record<string, unknown>;
  /** Replaces the document and its variables; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { line: number; column: number }[];
  readonly extensions: { readonly code: string; readonly requestId: string };
}

// The document of the test decides the shape of `data`.
// oxlint-disable-next-line typescript/no-explicit-any
export type Data = any;

export type ReceivedResponse = AnsweredWith<{
  readonly data?: Data;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly cost: { requested: number; remaining: number; limit: number } };
}>;

/** Log lines of the service with level `warn` or higher. */
export type LogLine = Readonly<Record<string, unknown>>;

export interface TestApi {
  readonly service: RunningService;
  /** For commands. */
  readonly config: Configuration;
  readonly sites: readonly [TestSite, TestSite];
  readonly databaseUrl: string;
  readonly nats: TestNats;
  readonly world: World;
  /** A student of the site in auth. */
  student(site?: TestSite, which?: 'own' | 'both'): Person;
  /** Publishes the student of the first site as its member. */
  member(): Promise<{ site_id: string; person_id: string }>;
  token(options?: {
    site?: TestSite;
    person?: Person;
    scope?: string;
    audience?: 'member' | 'operator';
  }): Promise<string>;
  query(document: string, options?: RequestOptions): Promise<ReceivedResponse>;
  /** Repeats the query until `done` returns true. */
  until(query: string, done: (data: Data) => boolean, options?: RequestOptions): Promise<Data>;
  /**
   * Starts a replica on the same database and NATS, and waits until its dependencies, or the given ones, are ready.
   * `log` gets its log lines with level `warn` or higher.
   */
  replica(environment?: Record<string, string>, needs?: readonly string[], log?: LogLine[]): Promise<RunningService>;
  /** Opens a connection to the database; `stop` closes it. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

export const MEMBER_SCOPE = 'openid account:read account:write';

/** Replaces providers of the service by those of the test. */
export type Override = (builder: TestingModuleBuilder) => TestingModuleBuilder;

/** More points per minute than any test spends. */
const withoutLimit: Override = (builder) =>
  builder.overrideProvider(CostPointsSettings).useValue(new CostPointsSettings(1_000_000_000));

const createWith =
  (override: Override): CreateApplication =>
  async (root, adapter, options) => {
    const module = await override(Test.createTestingModule({ imports: [root] })).compile();
    return module.createNestApplication<NestFastifyApplication>(adapter, options);
  };

/** Starts the service on its own database and NATS server, with the auth of the test run. */
export async function startMemberApi(
  changes: Record<string, string> = {},
  override: Override = withoutLimit,
): Promise<TestApi> {
  const infrastructure = await testInfrastructure();
  const [first, second] = infrastructure.sites;
  if (first === undefined || second === undefined) throw new Error('The tests need two sites');
  const [database, nats] = await Promise.all([testDatabase('learner'), testNats({ copy: ['sites'] })]);
  const world = await World.open(nats);
  const running: RunningService[] = [];
  const clients: pg.Client[] = [];
  const configure = (more: Record<string, string> = {}): Configuration =>
    readConfiguration(environment, {
      ...infrastructure.environments['member-api'],
      ...nats.environment('member-api'),
      DATABASE_URL: database.url,
      LOG_LEVEL: 'fatal',
      ...changes,
      ...more,
    });
  const start: TestApi['replica'] = async (more = {}, needs, log) => {
    const destination = { write: (line: string) => void log?.push(JSON.parse(line) as LogLine) };
    const logger = log && createLogger({ service: 'member-api', level: 'warn', destination });
    const service = await startService(memberApi, configure(more), logger, createWith(override));
    running.push(service);
    await untilReady(service.managementUrl, needs);
    return service;
  };
  const service = await start();
  const tokens = new Map<string, Promise<string>>();

  const student: TestApi['student'] = (site = first, which = 'own') => {
    const person = site.people.find(
      ({ email }) => email.startsWith('student@') && email.includes('both') === (which === 'both'),
    );
    if (person === undefined) throw new Error(`No student at ${site.base_url}`);
    return person;
  };
  const token: TestApi['token'] = (options = {}) => {
    const { site = first, audience = 'member', scope = MEMBER_SCOPE } = options;
    const person = options.person ?? (audience === 'member' ? student(site) : site.people[0]);
    if (person === undefined) throw new Error('The site has no such person');
    const key = `${site.site_id} ${person.email} ${audience} ${scope}`;
    const minted = tokens.get(key) ?? surfaceToken({ via: infrastructure.auth.url, site, person, audience, scope });
    tokens.set(key, minted);
    return minted;
  };
  const query: TestApi['query'] = async (document, options = {}) => {
    const {
      url = service.url,
      method = 'POST',
      path = '/member/graphql',
      site = first,
      variables,
      headers = {},
    } = options;
    const bearer = options.token === undefined ? await token({ site }) : options.token;
    const body =
      'body' in options ? options.body : { query: document, ...(variables === undefined ? {} : { variables }) };
    return send(
      url,
      method,
      path,
      {
        host: site.host,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    );
  };
  return {
    service,
    config: configure(),
    sites: [first, second],
    databaseUrl: database.url,
    nats,
    world,
    student,
    member: async () => {
      const member = { site_id: first.site_id, person_id: student().person_id };
      await world.person({ person_id: member.person_id });
      await world.role(member);
      return member;
    },
    token,
    query,
    until: async (document, done, options) => {
      const { body } = await eventually(
        () => query(document, options),
        ({ body: { data } }) => data !== undefined && done(data),
      );
      return body.data;
    },
    replica: start,
    connect: async () => {
      const client = new pg.Client({ connectionString: database.url });
      clients.push(client);
      await client.connect();
      return client;
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.end()));
      await Promise.all(running.map((one) => one.close()));
      await world.close();
      await Promise.all([nats.stop(), database.drop()]);
    },
  };
}
