import type { IntrospectionConfiguration } from '../baselines/introspection.ts';
import { TABLE } from '../baselines/postgres-adapter.ts';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import { fillAuth, fillStock, resourceServer, token } from '../data/tokens.ts';
import type { LoadRequest, Suite } from '../suite.ts';

const HOUR = 3_600;
/** As many connections as the service has. */
const POOL_SIZE = 10;
/** Tokens that are asked about, dealt evenly over all that are stored. */
const ASKED = 1_000;

export const auth: Suite = async ({ stack, arguments: { tokens }, step, startBaseline, hold }) => {
  const site = benchSite(stack);
  const { INTROSPECTION_CLIENT_ID: id = '', INTROSPECTION_CLIENT_SECRET: secret = '' } =
    stack.environment('member-api');
  const clientId = site.clients.find(({ audience }) => audience === 'member')!.client_id;
  const issuedAt = Math.floor(Date.now() / 1_000);
  const fill = { site, clientId, tokens, issuedAt, expiresAt: issuedAt + 2 * HOUR };
  const databaseUrl = await stockDatabase(stack.postgres!.adminUrl);
  await step(`load ${tokens} tokens, twice`, async () => {
    await fillAuth(stack.databaseUrl('auth'), fill);
    await fillStock(databaseUrl, fill, resourceServer(id, secret));
    hold({ tokens });
  });
  const configuration = { databaseUrl, poolSize: POOL_SIZE, issuer: site.base_url };
  const stock = await startBaseline('introspection', configuration satisfies IntrospectionConfiguration);
  const service = stack.services.find(({ name }) => name === 'auth')!;
  const asked = Array.from({ length: ASKED }, (_, index) => token(1 + Math.floor((index * tokens) / ASKED)));
  const requests = (path: string): LoadRequest[] =>
    asked.map((value) => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `token=${value}&token_type_hint=access_token&client_id=${id}&client_secret=${encodeURIComponent(secret)}`,
    }));
  return [
    {
      suite: 'auth',
      title: 'introspection ÷ stock oidc-provider',
      goal: 4,
      ours: {
        name: 'auth',
        origin: service.internalUrl,
        requests: requests('/api/oauth/introspect'),
        facts,
        pid: () => service.pid!,
      },
      baseline: {
        name: 'oidc-provider on PostgreSQL',
        origin: stock.origin,
        requests: requests('/token/introspection'),
        facts,
        pid: () => stock.pid,
      },
    },
  ];
};

/** On the server of the stack, so that both have the same PostgreSQL. */
async function stockDatabase(adminUrl: string): Promise<string> {
  await onDatabase(adminUrl, (client) => client.query('CREATE DATABASE bench_stock'));
  const url = new URL(adminUrl);
  url.pathname = '/bench_stock';
  await onDatabase(url.href, (client) => client.query(TABLE));
  return url.href;
}

/** The members of RFC 7662 §2.2 that both answer; ours says more. */
function facts(body: unknown): unknown {
  const { active, sub, client_id, iss, scope, iat, exp, token_type } = body as Record<string, unknown>;
  if (active !== true) throw new Error(`Not an active token: ${JSON.stringify(body)}`);
  return { active, sub, client_id, iss, scope, iat, exp, token_type };
}
