import { Callers, SITES, Subject } from '@lyceum/collections/conventions';
import { EventConsumers } from '@lyceum/messaging';
import { readConfiguration, startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { testDatabase, testInfrastructure, testNats, untilReady } from '@lyceum/testing';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { adminApi } from '#src/admin-api.js';
import { collections } from '#src/collections.js';
import { environment } from '#src/configuration.js';
import { ExportWorker } from '#src/exports/export.worker.js';
import { ImportWorker } from '#src/imports/import.worker.js';
import { PageDeploymentWorker } from '#src/page-deployments/page-deployment.worker.js';
import { WebhookDispatcher } from '#src/webhook-deliveries/webhook.dispatcher.js';
import { conventionCases } from './convention-cases.js';
import { api } from './convention-target.js';
import { Identity } from './identity.js';
import { respondToInvitations } from './invitation-responder.js';

export { api } from './convention-target.js';

/** Consumers and workers that change rows without a request. */
const TASKS = [EventConsumers, ExportWorker, ImportWorker, PageDeploymentWorker, WebhookDispatcher];

/** Starts the service for callers of any role, and shows it. Returns the function that stops it. */
export async function openApi(show?: (service: RunningService) => Promise<void>): Promise<() => Promise<void>> {
  const { environments } = await testInfrastructure();
  const [database, nats, callers] = await Promise.all([
    testDatabase('school'),
    testNats({ sites: SITES }),
    Callers.start(),
  ]);
  const identity = await Identity.start(nats.environment);
  const invitations = await respondToInvitations(nats);
  const config = readConfiguration(environment, {
    ...environments['admin-api'],
    ...nats.environment('admin-api'),
    DATABASE_URL: database.url,
    // A write that takes a second connection within its transaction waits for itself.
    DATABASE_POOL_SIZE: '1',
    INTROSPECTION_URL: callers.url,
    // The cases leave uploads open, and webhook endpoints behind.
    FILES_OPEN_UPLOADS: '10000',
    WEBHOOK_ENDPOINTS: '10000',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  });
  const service = await startService(adminApi, config);
  await untilReady(service.managementUrl);
  // Requests alone change objects.
  for (const task of TASKS) {
    await service.app.get<BeforeApplicationShutdown>(task, { strict: false }).beforeApplicationShutdown();
  }
  await api.open({
    url: service.url,
    databaseUrl: database.url,
    callers,
    natsEnvironment: nats.environment,
    log: 'activity',
  });
  await show?.(service);
  return async () => {
    await api.close();
    await service.close();
    await Promise.all([identity.stop(), invitations.close()]);
    await Promise.all([database.drop(), nats.stop(), callers.stop()]);
  };
}

/** Two collections may share a name: one below a parent and one of the site. Several values may share a name. */
const nameOf = ({ parent, name }: (typeof collections)[number]['collections'][number]): string =>
  parent === undefined ? name : `${parent.name}/${name}`;

const declared = collections.flatMap((module) => module.collections);

/** Each collection with its name. */
export const subjects = [...Map.groupBy(declared, nameOf)].map(([name, of]) => [name, subjectOf(name, of)] as const);

function subjectOf(name: string, of: typeof declared): Subject {
  const cases = conventionCases[name];
  const [first] = of;
  if (cases === undefined || first === undefined) throw new Error(`${name} has no case table`);
  const operations = of.flatMap((collection) => collection.operations);
  const routes = of.flatMap((collection) => collection.routes);
  return new Subject(api, cases, { ...first, operations, routes });
}
