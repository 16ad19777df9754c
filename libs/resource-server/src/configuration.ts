import { z } from 'zod';

/** Environment of every resource server: spread it into the service's configuration schema. */
export const introspectionEnvironment = {
  /** RFC 7662 endpoint of auth, reached inside the deployment: `http://auth:3000/api/oauth/introspect`. */
  INTROSPECTION_URL: z.url({ protocol: /^https?$/ }),
  /** The service's own name. */
  INTROSPECTION_CLIENT_ID: z.string().min(1),
  INTROSPECTION_CLIENT_SECRET: z.string().min(1),
};

export type IntrospectionConfiguration = z.infer<z.ZodObject<typeof introspectionEnvironment>>;

/** What a service tells its resource server once. Also the injection token of these settings. */
export class ResourceServerOptions {
  readonly introspection: IntrospectionConfiguration;
  /** Path after `/.well-known/oauth-protected-resource` of the document that challenges point at: '' or '/mcp'. */
  readonly metadataPath: string;

  constructor(options: { introspection: IntrospectionConfiguration; metadataPath: '' | `/${string}` }) {
    this.introspection = options.introspection;
    this.metadataPath = options.metadataPath;
  }
}

/** Everything here has a limit. Times are milliseconds. */
export const LIMITS = {
  /** Longest token that is worth asking about; ours are 43 characters. */
  tokenLength: 2048,
  /** From the call of `verify` to a verdict or none. */
  budget: 800,
  /** With the time of an answer: a revoked token is refused within five seconds, also when nobody hears of it. */
  activeLifetime: 4_500,
  inactiveLifetime: 1_000,
  /** Kept verdicts; the least recently used goes first. Unknown tokens cannot push out good ones. */
  activeEntries: 20_000,
  inactiveEntries: 5_000,
  /** Introspections on their way at one time, and the connections that carry them. */
  inFlight: 1_000,
  connections: 32,
  answerBytes: 65_536,
  /** Faults in a row that open the breaker, and how long it stays open. */
  breakerFaults: 5,
  breakerOpen: 1_000,
} as const;
