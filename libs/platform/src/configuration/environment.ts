import { isIP } from 'node:net';
import { z } from 'zod';
import { TRACES_OF_CALLERS } from '../telemetry/callers-trace.js';
import { REQUEST_LIMITS } from '../database/database-options.js';
import { READINESS_TIMEOUT_MS } from '../telemetry/health.js';
import type { SecretKeys } from '../values/cipher.js';

/** A whole number in digits alone. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** `address/prefix`, or an address alone, of IPv4 or IPv6 (RFC 4632 §3.1, RFC 4291 §2.3). */
function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

const cidrs = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.split(',').map((part) => part.trim())))
  .refine((list) => list.every(isCidr), 'must be addresses or CIDRs divided by commas, or "none"');

const KEY_BYTES = 32;

/** Values that a secret has at one time: docs/operate/rotation.md. */
const SECRET_VALUES = 3;

const KEY_FORM = `must be base64 of ${KEY_BYTES} bytes, or up to ${SECRET_VALUES} of them divided by commas`;

const base64 = z.base64();

/** Secret keys: base64 (RFC 4648 §4) of 32 bytes each. */
export const secretKeys = z.string().transform((text, context): SecretKeys => {
  const parts = text.split(',').map((part) => part.trim());
  const keys = parts.map((part) => Buffer.from(base64.safeParse(part).success ? part : '', 'base64'));
  const [first, ...others] = keys;
  if (first !== undefined && keys.length <= SECRET_VALUES && keys.every(({ length }) => length === KEY_BYTES))
    return [first, ...others];
  context.addIssue({ code: 'custom', message: KEY_FORM });
  return z.NEVER;
});

const SECRET_CHARACTERS = 16;

/** Secret texts, divided by commas. The first one is used for new work, and all of them are accepted. */
export const secretTexts = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.length <= SECRET_VALUES, `has more than ${SECRET_VALUES} values divided by commas`)
  .refine(
    (parts) => parts.every(({ length }) => length >= SECRET_CHARACTERS),
    `each value needs ${SECRET_CHARACTERS} characters or more`,
  );

const httpUrl = z.url({ protocol: /^https?$/, message: 'must be an http(s) URL' });

/** Variables of every service. Spread it into the `z.object` of the service. */
export const serviceEnvironment = {
  /** Address of both listeners. */
  HOST: z.string().default('0.0.0.0'),
  /** Port of the surface. 0 selects a free port. */
  PORT: integer(0, 65_535).default(8080),
  /** Port of `/livez`, `/readyz` and `/metrics`. 0 selects a free port. */
  MANAGEMENT_PORT: integer(0, 65_535).default(9090),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** CIDRs of the trusted proxies, whose X-Forwarded-For, -Host and -Proto headers are used; `none` trusts no proxy. */
  TRUSTED_PROXIES: cidrs.default([]),
  /** Time limit for a request to arrive, against slow senders. Then 408. */
  REQUEST_TIMEOUT_MS: integer(100, 600_000).default(30_000),
  /** Time limit of each check of `/readyz`. */
  READINESS_TIMEOUT_MS: integer(100, 60_000).default(READINESS_TIMEOUT_MS),
  /**
   * Time between "not ready" and the closing of the listener, in which load balancers stop sending requests. Together
   * with the shutdown time it stays below the 30 s of Kubernetes.
   */
  SHUTDOWN_DELAY_MS: integer(0, 300_000).default(5_000),
  /** Time limit for open requests and shutdown hooks after the delay. */
  SHUTDOWN_TIMEOUT_MS: integer(100, 600_000).default(15_000),
  /** `off` is for tests, which take the turns of scheduled tasks themselves. Queues go on. */
  PERIODIC_TASKS: z.enum(['on', 'off']).default('on'),
  /** Upper limit of the pause after which a queue without work looks for some. Each queue has one of its own. */
  QUEUE_PAUSE_MS: integer(10, 60_000).default(60_000),
  /** Base URL of an OTLP/HTTP collector. Without it tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Share of the traces that begin at this service and are recorded. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number between 0 and 1, such as 0.05')
    .default('0.05')
    .transform(Number),
  /** `continue` is for gateways that start all traces themselves, and remove `traceparent` of strangers. */
  TRACES_OF_CALLERS: z.enum(TRACES_OF_CALLERS).default('link'),
};

/** The parsed `serviceEnvironment`. */
export type ServiceConfiguration = z.infer<z.ZodObject<typeof serviceEnvironment>>;

/** Variables of a service with a database. */
export const databaseEnvironment = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, message: 'must be a postgres:// URL' }),
  /** Connections of one process. */
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
  /** Time to open a connection, or to get a free one from the pool. */
  DATABASE_WAIT_MS: integer(100, 60_000).default(REQUEST_LIMITS.connect),
  /** Time of one statement, with its wait for locks. PostgreSQL cancels it then. */
  DATABASE_STATEMENT_MS: integer(100, 600_000).default(REQUEST_LIMITS.statement),
};

/** The parsed `databaseEnvironment`. */
export type DatabaseConfiguration = z.infer<z.ZodObject<typeof databaseEnvironment>>;
