import { mailEnvironment } from '@lyceum/mail';
import { callTrustEnvironment, natsEnvironment } from '@lyceum/messaging';
import { databaseEnvironment, integer, secretKeys, serviceEnvironment } from '@lyceum/platform';
import { introspectionEnvironment } from '@lyceum/resource-server';
import { z } from 'zod';

/** Serialized origins (RFC 6454 §6.2), separated by commas. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin), {
    error: 'must be origins such as https://app.example, separated by commas',
  });

export const environment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  ...natsEnvironment,
  ...callTrustEnvironment,
  ...introspectionEnvironment,
  ...mailEnvironment,
  /** Signs the cursors of lists and the links in mails. All replicas need the same key. */
  CURSOR_KEY: secretKeys,
  /** Signs the download links. All replicas need the same key. */
  DOWNLOAD_KEY: secretKeys,
  /** Cost points per minute of one person with one client. */
  RATE_LIMIT_POINTS: integer(1, 1_000_000_000).default(600),
  /** Origins whose scripts can use the API at every site, beside those of the redirect URIs of its member clients. */
  CORS_ORIGINS: origins.default([]),
  /** Time after which a replica allows the origins of a changed client. */
  CORS_CACHE_MS: integer(0, 60_000).default(5_000),
  /** Age in days at which notifications are removed. */
  NOTIFICATION_RETENTION_DAYS: integer(1, 36_500).default(180),
});

export type Configuration = z.output<typeof environment>;
