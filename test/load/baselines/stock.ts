import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';
import pg from 'pg';
import { postgresAdapter } from './postgres-adapter.ts';
import { serve } from './serve.ts';
import { serveInteractions, type StockPages } from './stock-pages.ts';

/** oidc-provider, set up as in its documentation, with its own routes, on PostgreSQL. */
export interface StockConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly issuer: string;
  /** The pages of a sign-in. */
  readonly pages: StockPages;
}

const DAY = 86_400;

serve<StockConfiguration>(async ({ databaseUrl, poolSize, issuer, pages }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    adapter: postgresAdapter(pool),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    // Auth does the same.
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: { AccessToken: 7_200, RefreshToken: 30 * DAY, Grant: 30 * DAY, Session: 14 * DAY, Interaction: 3_600 },
    scopes: ['profile', 'email', 'account:read'],
    cookies: { keys: ['a-key-of-the-bench'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // The minimum: auth also reads from the database whether the person may still use the site.
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
  });
  serveInteractions(provider, pages);
  const server = provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
});
