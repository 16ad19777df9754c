export type { BootstrapSettings } from './connect.js';
export { bootstrap } from './bootstrap.js';
export { TopologyKeeper } from './topology-keeper.js';
