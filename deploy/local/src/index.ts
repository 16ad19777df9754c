export { startPostgres } from './postgres.js';
export type { Postgres, PostgresOptions } from './postgres.js';
export { startNats } from './nats.js';
export type { NatsOptions, NatsServer, NatsUserPermissions } from './nats.js';
