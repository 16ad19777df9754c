import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';
import pg from 'pg';
import { postgresAdapter } from './postgres-adapter.ts';
import { serve } from './serve.ts';

/** oidc-provider, set up as in its documentation, with its own routes, on PostgreSQL. */
export interface StockConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly issuer: string;
}

serve<StockConfiguration>(async ({ databaseUrl, poolSize, issuer }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    adapter: postgresAdapter(pool),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    // Auth does the same.
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: { AccessToken: 7_200, RefreshToken: 30 * 86_400 },
    // The minimum: auth also reads from the database whether the person may still use the site.
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
  });
  const server = provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
});
