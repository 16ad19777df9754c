export { testInfrastructure } from './infrastructure.js';
export type { Infrastructure, TestAuth, TestSite } from './infrastructure.js';
export { emptyDatabase, testDatabase } from './test-database.js';
export type { TestDatabase } from './test-database.js';
export { testNats } from './test-nats.js';
export type { TestNats } from './test-nats.js';
export { startInfrastructure } from './start-infrastructure.js';
export { mintToken } from './mint-token.js';
export type { MintOptions, TokenSet } from './mint-token.js';
