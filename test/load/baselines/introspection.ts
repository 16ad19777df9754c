import pg from 'pg';
import { serve } from './serve.ts';
import { Provider } from 'oidc-provider';
import { postgresAdapter } from './postgres-adapter.ts';

/** oidc-provider as its documentation sets it up, with its own introspection route, on PostgreSQL. */
export interface IntrospectionConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly issuer: string;
}

serve<IntrospectionConfiguration>(async ({ databaseUrl, poolSize, issuer }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const provider = new Provider(issuer, {
    adapter: postgresAdapter(pool),
    features: { introspection: { enabled: true, allowedPolicy: () => true } },
  });
  const server = provider.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
});
