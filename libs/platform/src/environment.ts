import { isIP } from 'node:net';
import { z } from 'zod';

const integer = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
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

const KEY_FORM = `must be base64 of ${KEY_BYTES} bytes`;

/** A secret key: base64 (RFC 4648 §4) of 32 bytes. */
export const secretKey = z
  .base64(KEY_FORM)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === KEY_BYTES, KEY_FORM);

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
  /**
   * Time between "not ready" and the closing of the listener, in which load balancers stop sending requests. Together
   * with the shutdown time it stays below the 30 s of Kubernetes.
   */
  SHUTDOWN_DELAY_MS: integer(0, 300_000).default(5_000),
  /** Time limit for open requests and shutdown hooks after the delay. */
  SHUTDOWN_TIMEOUT_MS: integer(100, 600_000).default(15_000),
  /** Base URL of an OTLP/HTTP collector. Without it tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
};

/** The parsed `serviceEnvironment`. */
export type ServiceConfiguration = z.infer<z.ZodObject<typeof serviceEnvironment>>;

/** Variables of a service with a database. */
export const databaseEnvironment = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, message: 'must be a postgres:// URL' }),
  /** Connections of one process. */
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
};
