import { builtHash, DATABASES, isBuilt, runServiceCommand, type DatabaseName } from '@lyceum/local';
import type { ServiceName } from '@lyceum/contracts';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readInfrastructure, type Infrastructure } from './infrastructure.js';

export interface TestDatabase {
  /** Connection string of the service's production role. */
  readonly url: string;
  /** Drops it, also when connections are open. */
  drop(): Promise<void>;
}

/** Clones for the next files of this process, by template. */
const prepared = new Map<string, Promise<TestDatabase>>();

/**
 * A migrated database of a service for one test file: a clone of a template that the service's own `migrate` created.
 * PostgreSQL copies 1,000 files for a clone, so it makes the one for the next file while this file runs.
 */
export async function testDatabase(database: DatabaseName): Promise<TestDatabase> {
  const infrastructure = readInfrastructure();
  const template = await migratedTemplate(infrastructure, database);
  const clone = (): Promise<TestDatabase> => create(infrastructure, database, template);
  const key = `${infrastructure.postgres.adminUrl} ${template}`;
  const next = prepared.get(key);
  prepared.delete(key);
  const taken = await (next?.catch(clone) ?? clone());
  if (!prepared.has(key)) prepared.set(key, handled(clone()));
  return taken;
}

/** The last clone of a process stays unused. Its server may end before it is made. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** An empty database of the role, for tests that bring their own migrations. */
export function emptyDatabase(role: DatabaseName = 'school'): Promise<TestDatabase> {
  return create(readInfrastructure(), role, 'template1');
}

async function create(infrastructure: Infrastructure, role: DatabaseName, template: string): Promise<TestDatabase> {
  const name = `test_${role}_${randomBytes(6).toString('hex')}`;
  // Copied by files, a clone takes half of the processor time. The checkpoints that it needs write nothing through.
  const clone = `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${role} STRATEGY file_copy`;
  await asAdmin(infrastructure, (client) => client.query(clone));
  return {
    url: withDatabase(infrastructure.postgres.urls[role], name),
    drop: () => asAdmin(infrastructure, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Makes the templates that are missing, one after the other. Suites that need one meanwhile wait for it. */
export async function prepareTemplates(): Promise<void> {
  for (const database of Object.values(DATABASES)) await migratedTemplate(readInfrastructure(), database);
}

async function migratedTemplate(infrastructure: Infrastructure, database: DatabaseName): Promise<string> {
  const service = serviceOf(database);
  if (!isBuilt(service)) throw new Error(`apps/${service} is not built: npm run build -w @lyceum/${service}`);
  const template = `template_${database}_${builtHash(service)}`;
  await asAdmin(infrastructure, async (client) => {
    // Concurrent test files wait for the first one, which creates the template.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft} OWNER ${database}`);
    const DATABASE_URL = withDatabase(infrastructure.postgres.urls[database], draft);
    await runServiceCommand(service, { ...infrastructure.environments[service], DATABASE_URL }, 'migrate');
    // Renamed when complete: a failed migration leaves no template.
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}

function serviceOf(database: DatabaseName): ServiceName {
  const found = Object.entries(DATABASES).find(([, name]) => name === database);
  if (!found) throw new Error(`No service has a database ${database}`);
  return found[0] as ServiceName;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function asAdmin(infrastructure: Infrastructure, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: infrastructure.postgres.adminUrl });
  // The work rejects, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
