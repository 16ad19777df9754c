import { callTrustEnvironment, natsEnvironment } from '@lyceum/messaging';
import { databaseEnvironment, integer, secretKeys, serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { hasStore, storageEnvironment } from '@lyceum/storage';
import { z } from 'zod';

export const environment = z
  .object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    ...natsEnvironment,
    ...callTrustEnvironment,
    ...introspectionEnvironment,
    ...storageEnvironment,
    /** Signs the cursors of lists; the same in all replicas. */
    CURSOR_KEY: secretKeys,
    /** Encrypts the secrets of webhook endpoints; the same in all replicas. */
    KEY_ENCRYPTION_KEY: secretKeys,
    /** Permits webhook endpoints with http URLs and private addresses, for development and tests only. */
    WEBHOOKS_LOCAL_TARGETS: z.stringbool().default(false),
    /** Maximum number of webhook endpoints per site. */
    WEBHOOK_ENDPOINTS: integer(1, 10_000).default(20),
    /** Retention of the activity log in days, by whole months; 0 keeps everything. */
    ACTIVITY_LOG_DAYS: integer(0, 36_500).default(400),
    /** Storage quota of a site in bytes. */
    FILES_QUOTA_BYTES: integer(1).default(10 * 1024 ** 3),
    /** Maximum number of open uploads per site. */
    FILES_OPEN_UPLOADS: integer(1, 10_000).default(100),
  })
  .check(hasStore);
export type Configuration = z.infer<typeof environment>;
