import { natsEnvironment } from '@lyceum/messaging';
import { databaseEnvironment, serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { z } from 'zod';

const KEY_BYTES = 32;

export const environment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  ...natsEnvironment,
  ...introspectionEnvironment,
  /** Signs the cursors of lists; the same in all replicas. Base64 of 32 bytes. */
  CURSOR_KEY: z
    .base64()
    .refine((value) => Buffer.from(value, 'base64').length === KEY_BYTES, `must be base64 of ${KEY_BYTES} bytes`),
});
export type Configuration = z.infer<typeof environment>;
