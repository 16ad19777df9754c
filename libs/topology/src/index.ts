export { connectForBootstrap, readSettings } from './connect.js';
export type { BootstrapSettings } from './connect.js';
export { ensureTopology } from './ensure-topology.js';
export { bootstrap } from './bootstrap.js';
export { TopologyKeeper } from './topology-keeper.js';
