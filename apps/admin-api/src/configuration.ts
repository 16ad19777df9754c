import { callTrustEnvironment, natsEnvironment } from '@lyceum/messaging';
import { databaseEnvironment, secretKey, serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { z } from 'zod';

export const environment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  ...natsEnvironment,
  ...callTrustEnvironment,
  ...introspectionEnvironment,
  /** Signs the cursors of lists; the same in all replicas. */
  CURSOR_KEY: secretKey,
  /** Retention of the activity log in days, by whole months; 0 keeps everything. */
  ACTIVITY_LOG_DAYS: z.coerce.number().int().min(0).max(36_500).default(400),
});
export type Configuration = z.infer<typeof environment>;
