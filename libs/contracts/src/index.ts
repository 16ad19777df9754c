export * from './identity/index.js';
export * from './learner/index.js';
export * from './platform/index.js';
export * from './school/index.js';
export * from './tools/index.js';
export * from './topology/index.js';
