export { limitHeader, policyHeader } from './headers.policy.js';
export type { Allowance, Limit } from './limit.js';
export { RateLimitModule } from './rate-limit.module.js';
export { RateLimiter } from './rate-limiter.js';
export { rateLimitMigrations } from './rate-windows.migration.js';
export { sourceOf } from './source.policy.js';
