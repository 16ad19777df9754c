export type { Allowance, Limit } from './limit.js';
export { takeQuotas } from './quotas.js';
export type { Quota } from './quotas.js';
export { NatsRateLimitModule, RateLimitModule } from './rate-limit.module.js';
export { RateLimiter } from './rate-limiter.js';
export { RefusedTokens } from './refused-tokens.js';
export { rateLimitMigrations } from './rate-windows.migration.js';
export { sourceOf } from './source.policy.js';
export { TransactionLimits } from './transaction-limits.js';
