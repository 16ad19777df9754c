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
  /** Signs cursors: base64 of 32 bytes, the same for all replicas. */
  CURSOR_KEY: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === KEY_BYTES, `must be ${KEY_BYTES} bytes`),
  /** Cost points of one token in a minute. */
  RATE_LIMIT_POINTS: z.coerce.number().int().min(1).max(1_000_000_000).default(600),
});

export type Configuration = z.output<typeof environment>;
