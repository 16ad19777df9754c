import { databaseEnvironment, integer, secretKeys, secretTexts, serviceEnvironment } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';
import { mailEnvironment } from '@lyceum/mail';
import { natsEnvironment } from '@lyceum/messaging';
import { z } from 'zod';

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
}

/** The environment of auth. Defaults are in the schema; secrets have none. */
export const authEnvironment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  ...natsEnvironment,
  ...mailEnvironment,
  /** Encrypt the private signing keys and the links of queued mails at rest. */
  KEY_ENCRYPTION_KEY: secretKeys,
  /** Sign cookies and form tokens. */
  COOKIE_KEYS: secretTexts,
  /** JSON object of service name to its secrets: these services may introspect any token (RFC 7662). */
  RESOURCE_SERVERS: z
    .string()
    .transform(parseJson)
    .pipe(z.record(z.string().min(1), secretTexts)),
  /** {developer_info_url} of the contract. Without it the site's own address is shown. */
  DEVELOPER_INFO_URL: z.url().optional(),
  /** Time after which a replica sees a changed site. */
  SITE_CACHE_MS: integer(0, 60_000).default(5_000),
  /** Seconds for which a just-rotated refresh token may be repeated (a lost response, two tabs). 0 turns it off. */
  REFRESH_REPEAT_SECONDS: integer(0, 300).default(60),
  /** Days after which a new signing key takes over. 0 leaves rotation to the command. */
  KEY_ROTATION_DAYS: integer(0, 3650).default(90),
  /** Whole months before the current one for which the audit log is kept. 0 keeps it forever. */
  AUDIT_LOG_MONTHS: integer(0, 1200).default(13),
});

export type AuthConfiguration = z.infer<typeof authEnvironment>;

/** The configuration as Nest injects it. */
export class AuthSettings {
  constructor(readonly values: AuthConfiguration) {}

  /** `COOKIE_KEYS` for `SigningKey`. */
  get cookieKeys(): SecretKeys {
    const [first = '', ...others] = this.values.COOKIE_KEYS;
    return [Buffer.from(first), ...others.map((key) => Buffer.from(key))];
  }
}
