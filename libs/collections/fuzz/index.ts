export { Fuzzer } from './fuzzer.js';
export type { FuzzOptions, Statuses } from './fuzzer.js';
export { strictDescription } from './strict-description.js';
