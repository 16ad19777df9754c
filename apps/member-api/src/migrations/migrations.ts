import { messagingMigrations } from '@lyceum/messaging';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { Baseline1763683200000 } from './1763683200000-baseline.js';

export const migrations = [Baseline1763683200000, ...messagingMigrations, ...rateLimitMigrations];
