export type { BootstrapSettings } from './connect.js';
export { bootstrap } from './bootstrap.js';
export { TopologySupervisor } from './topology-supervisor.js';
