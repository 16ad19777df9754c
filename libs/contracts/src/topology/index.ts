export { callerCheck, eventsOf, ownerOf, consumersOf, streamKeeping, streamOf } from './duties.js';
export type { StreamName } from './duties.js';
export { READING_SERVICES, TOPOLOGY, TOPOLOGY_LIMITS } from './topology.js';
export type { ConsumerDeclaration, StreamDeclaration, Topology } from './topology.js';
export { HUB_API, HUB_USERS, natsAccounts, natsPermissions } from './nats-accounts.js';
export type { NatsUser } from './nats-accounts.js';
