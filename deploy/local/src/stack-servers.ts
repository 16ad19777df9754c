import { bootstrap, TopologySupervisor } from '@lyceum/topology';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrapSettings, startNats, type NatsServer } from './nats.js';
import { Part, type PartDefinition, type Running } from './part.js';
import { freePort } from './ports.js';
import { startPostgres, type Postgres } from './postgres.js';
import { DATABASES, type DatabaseName } from './services.js';

export interface ServerOptions {
  readonly directory: string;
  readonly durable: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly onDeath: PartDefinition<Running>['onDeath'];
}

export interface Databases {
  /** Undefined when all databases are external. */
  readonly postgres: Part<Postgres> | undefined;
  url(database: DatabaseName): string;
  /** Identifies the database; independent of the port that the embedded server has this time. */
  identity(database: DatabaseName): string;
}

/** `DATABASE_URL_AUTH`, `_SCHOOL` and `_LEARNER`, and the embedded server for those that are not given. */
export async function databases({ directory, durable, environment, onDeath }: ServerOptions): Promise<Databases> {
  const given = (database: DatabaseName): string | undefined =>
    environment[`DATABASE_URL_${database.toUpperCase()}`] || undefined;
  const own = Object.values(DATABASES).filter((database) => given(database) === undefined);
  if (own.length === 0) return { postgres: undefined, url: required, identity: (database) => hash(required(database)) };

  const port = await freePort();
  const launch = (): Promise<Postgres> =>
    startPostgres({ directory: join(directory, 'postgres'), databases: own, port, durable });
  const postgres = new Part({ name: 'postgres', launch, onDeath });
  return {
    postgres,
    url: (database) => given(database) ?? postgres.current.url(database),
    identity: (database) => (own.includes(database) ? 'embedded' : hash(required(database))),
  };

  function required(database: DatabaseName): string {
    return given(database) ?? '';
  }
}

/** `NATS_URL`, or the embedded server with an account per service. */
export async function natsPart({ directory, durable, environment, onDeath }: ServerOptions): Promise<Part<NatsServer>> {
  const port = await freePort();
  const launch = (): Promise<NatsServer> =>
    startNats({ directory: join(directory, 'nats'), port, durable }, environment);
  return new Part({ name: 'nats', launch, onDeath });
}

/** Makes streams, buckets and consumers, and then makes again what vanishes. Returns how to end that. */
export async function keepTopology(nats: NatsServer, logDirectory: string): Promise<() => Promise<void>> {
  const settings = bootstrapSettings(nats);
  await bootstrap(settings);
  mkdirSync(logDirectory, { recursive: true });
  const log = (line: object): void => {
    try {
      appendFileSync(join(logDirectory, 'bootstrap.log'), `${JSON.stringify({ time: new Date(), ...line })}\n`);
    } catch {
      // A full disk must not end the stack.
    }
  };
  const supervisor = new TopologySupervisor(settings, {
    changed: (changes) => log({ changes }),
    failed: (error) => log({ error: error.message }),
  });
  return () => supervisor.stop();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
