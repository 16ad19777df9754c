import { messagingMigrations } from '@lyceum/messaging';
import { ReadModels1763683200000 } from './1763683200000-read-models.js';
import { Learner1763683200001 } from './1763683200001-learner.js';
import { RateLimit1763683200002 } from './1763683200002-rate-limit.js';

export const migrations = [
  ReadModels1763683200000,
  Learner1763683200001,
  RateLimit1763683200002,
  ...messagingMigrations,
];
