/**
 * Checks compare values by node:assert, which refuses values of another realm.
 * @jest-environment node
 */
import { Callers, ConventionApi, PEOPLE, SITES, Subject, conventionChecks } from '@lyceum/collections/conventions';
import { readConfiguration, startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { testDatabase, testInfrastructure, testNats, untilReady } from '@lyceum/testing';
import type { TestDatabase, TestNats } from '@lyceum/testing';
import { adminApi } from '#src/admin-api.js';
import { collections } from '#src/collections.js';
import { environment } from '#src/configuration.js';
import { conventionCases } from './convention-cases.js';
import { description } from './described.js';

const api = new ConventionApi(description);
let database: TestDatabase;
let nats: TestNats;
let callers: Callers;
let service: RunningService;

beforeAll(async () => {
  const { environments } = await testInfrastructure();
  [database, nats, callers] = await Promise.all([testDatabase('school'), testNats({ sites: SITES }), Callers.start()]);
  const config = readConfiguration(environment, {
    ...environments['admin-api'],
    ...nats.environment('admin-api'),
    DATABASE_URL: database.url,
    INTROSPECTION_URL: callers.url,
    LOG_LEVEL: 'silent',
  });
  service = await startService(adminApi, config);
  await untilReady(service.managementUrl);
  await api.open({
    url: service.url,
    databaseUrl: database.url,
    callers,
    natsEnvironment: nats.environment,
    log: 'activity',
  });
  await api.query(
    `insert into people_roles (site_id, person_id, email, name, roles, version)
     select site_id, person_id, person_id || '@example.com', 'Mei Lin', '{owner}', 1
     from unnest($1::uuid[]) site_id, unnest($2::uuid[]) person_id`,
    [SITES.map(({ site_id }) => site_id), PEOPLE],
  );
});
afterAll(async () => {
  await api.close();
  await service?.close();
  await Promise.all([database?.drop(), nats?.stop(), callers?.stop()]);
});

/** Two collections may share a name: one below a parent and one of the site. */
const nameOf = ({ parent, name }: (typeof collections)[number]['collections'][number]): string =>
  parent === undefined ? name : `${parent.name}/${name}`;

const subjects = collections.flatMap((module) =>
  module.collections.map((collection, index) => [nameOf(collection), collection, module.surface[index]] as const),
);

it('has a case table for each collection', () => {
  expect(subjects.map(([name]) => name).toSorted()).toEqual(Object.keys(conventionCases).toSorted());
});

describe.each(subjects)('%s', (name, collection, controller) => {
  const cases = conventionCases[name];
  if (cases === undefined || controller === undefined) throw new Error(`${name} has no case table`);
  const checks = conventionChecks(new Subject(api, cases, collection, controller));
  it.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
    await expect(check.run()).resolves.toBeUndefined();
  });
});
