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
});
export type Configuration = z.infer<typeof environment>;
