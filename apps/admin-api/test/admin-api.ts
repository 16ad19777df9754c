import { send, surfaceToken, testDatabase, testInfrastructure, testNats, untilReady } from '@lyceum/testing';
import type { ReceivedResponse, TestNats, TestSite } from '@lyceum/testing';
import { HUB_API, OPERATOR_SCOPES } from '@lyceum/contracts';
import { readConfiguration, startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { adminApi } from '#src/admin-api.js';
import { environment } from '#src/configuration.js';
import type { Configuration } from '#src/configuration.js';
import { description } from './described.js';
import { SchoolStream } from './school-stream.js';

export interface Asked {
  readonly site?: TestSite;
  /** Null sends no token. Default: a token of an operator with all scopes of this service. */
  readonly token?: string | null;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Nats = Pick<TestNats, 'environment' | 'stop' | 'kill' | 'restart'>;

export interface TestApi {
  readonly service: RunningService;
  readonly config: Configuration;
  readonly sites: readonly [TestSite, TestSite];
  readonly databaseUrl: string;
  readonly nats: Nats;
  readonly events: SchoolStream;
  /** Space-separated scopes; tokens are minted once. */
  token(scope: string, site?: TestSite, audience?: 'operator' | 'member'): Promise<string>;
  /** Throws when openapi.json does not describe the response. */
  send<Body = Record<string, unknown>>(method: string, path: string, asked?: Asked): Promise<ReceivedResponse<Body>>;
  /** A second replica on the same database. */
  replica(): Promise<RunningService>;
  stop(): Promise<void>;
}

interface Options {
  readonly withAuthsNats?: boolean;
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** More variables of the service. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The whole service with its own database, its own NATS server and the auth of the test run. Files therefore run in
 * parallel. Tests of events of auth use the NATS server of auth. `through` returns another URL of the database.
 */
export async function startAdminApi(options: Options = {}): Promise<TestApi> {
  const infrastructure = await testInfrastructure();
  const [first, second] = infrastructure.sites;
  if (first === undefined || second === undefined) throw new Error('The tests need two sites');
  const [database, nats] = await Promise.all([
    testDatabase('school'),
    options.withAuthsNats ? authsNats() : testNats({ copy: ['sites'] }),
  ]);
  const events = await SchoolStream.open(nats);
  const config = readConfiguration(environment, {
    ...infrastructure.environments['admin-api'],
    ...nats.environment('admin-api'),
    DATABASE_URL: (await options.through?.(database.url)) ?? database.url,
    LOG_LEVEL: 'silent',
    ...options.environment,
  });
  const running: RunningService[] = [];
  const start = async (): Promise<RunningService> => {
    const service = await startService(adminApi, config);
    running.push(service);
    await untilReady(service.managementUrl);
    return service;
  };
  const service = await start();
  const tokens = new Map<string, Promise<string>>();
  const token: TestApi['token'] = (scope, site = first, audience = 'operator') => {
    const key = `${site.site_id} ${audience} ${scope}`;
    const known = tokens.get(key) ?? mint(infrastructure.auth.url, site, audience, scope);
    tokens.set(key, known);
    return known;
  };
  return {
    service,
    config,
    sites: [first, second],
    databaseUrl: database.url,
    nats,
    events,
    token,
    send: async <Body>(
      method: string,
      path: string,
      { site = first, token: given, body, headers = {} }: Asked = {},
    ) => {
      const bearer = given === undefined ? await token(OPERATOR_SCOPES.join(' '), site) : given;
      const response = await send<Record<string, unknown>>(
        service.url,
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
      description.assert(method, path, response);
      return response as ReceivedResponse<Body>;
    },
    replica: start,
    stop: async () => {
      await Promise.all(running.map((one) => one.close()));
      await events.close();
      await Promise.all([nats.stop(), database.drop()]);
    },
  };
}

async function authsNats(): Promise<Nats> {
  const { url, passwords } = (await testInfrastructure()).nats;
  return {
    environment: (user) => ({
      NATS_URL: url,
      NATS_USER: user,
      NATS_PASSWORD: passwords[user] ?? '',
      NATS_API_PREFIX: user === 'admin' ? '$JS.API' : HUB_API,
    }),
    stop: () => Promise.resolve(),
    kill: () => Promise.reject(new Error('The NATS of auth is not ours to kill')),
    restart: () => Promise.resolve(),
  };
}

function mint(via: string, site: TestSite, audience: 'operator' | 'member', scope: string): Promise<string> {
  const role = audience === 'operator' ? 'owner' : 'student';
  const person = site.people.find(({ roles }) => roles.includes(role)) ?? site.people[0];
  if (person === undefined) throw new Error(`No ${audience} at ${site.base_url}`);
  return surfaceToken({ site, via, person, audience, scope });
}
