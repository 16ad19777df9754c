export { Callers, PEOPLE, SITES } from './callers.js';
export type { Caller } from './callers.js';
export { ConventionApi } from './convention-api.js';
export type { ToolRequest } from './convention-api.js';
export { conventionChecks } from './convention-checks.js';
export type { Check } from './check.js';
export type { Cases, CreateOther, Json } from './cases.js';
export { Description } from './description.js';
export { Subject } from './subject.js';
