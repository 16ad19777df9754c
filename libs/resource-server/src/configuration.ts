import { integer } from '@lyceum/platform';
import { z } from 'zod';

/** Environment of every resource server: spread it into the service's configuration schema. */
export const introspectionEnvironment = {
  /** RFC 7662 endpoint of auth, reached inside the deployment: `http://auth:3000/api/oauth/introspect`. */
  INTROSPECTION_URL: z.url({ protocol: /^https?$/ }),
  /** The service's own name. */
  INTROSPECTION_CLIENT_ID: z.string().min(1),
  /** Secrets divided by commas, as in `RESOURCE_SERVERS` of auth. The first one is sent. */
  INTROSPECTION_CLIENT_SECRET: z
    .string()
    .transform((text) => text.split(',', 1)[0]?.trim() ?? '')
    .refine((secret) => secret !== '', 'has no first value'),
  /** Total time of an introspection in milliseconds, including its retry. */
  INTROSPECTION_BUDGET_MS: integer(50, 30_000).default(800),
};

export type IntrospectionConfiguration = z.infer<z.ZodObject<typeof introspectionEnvironment>>;

/** Options of a resource server; also their injection token. */
export class ResourceServerOptions {
  readonly introspection: IntrospectionConfiguration;
  /** Path of the metadata document after `/.well-known/oauth-protected-resource`: '' or '/mcp'. */
  readonly metadataPath: string;
  /** Milliseconds for which an active introspection result is cached. Tests of revocations set a long one. */
  readonly activeLifetime: number;

  constructor(options: {
    introspection: IntrospectionConfiguration;
    metadataPath: '' | `/${string}`;
    activeLifetime?: number;
  }) {
    this.introspection = options.introspection;
    this.metadataPath = options.metadataPath;
    this.activeLifetime = options.activeLifetime ?? LIMITS.activeLifetime;
  }
}

/** Times in milliseconds. */
export const LIMITS = {
  /** Longest token that is introspected; issued tokens have 43 characters. */
  tokenLength: 2048,
  /**
   * With the default budget of an introspection: a revoked token is refused in about five seconds, even if the
   * broadcast is lost.
   */
  activeLifetime: 4_500,
  inactiveLifetime: 1_000,
  /**
   * Cached introspection results; the oldest is evicted first. Unknown tokens do not evict active ones.
   */
  activeEntries: 20_000,
  inactiveEntries: 5_000,
  /** Concurrent introspections, and the connections that carry them. */
  inFlight: 1_000,
  connections: 32,
  /** A connection without traffic ends after this time, before auth ends it. */
  idleConnection: 30_000,
  responseBytes: 65_536,
  /** Consecutive failures that open the breaker, and the time until a probe. */
  breakerFaults: 5,
  breakerOpen: 1_000,
} as const;
