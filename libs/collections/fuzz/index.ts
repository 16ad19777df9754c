export { Fuzzer } from './fuzzer.js';
export { strictDescription } from './strict-description.js';
