import { scaled } from '../arguments.ts';
import type { StockConfiguration } from '../baselines/stock.ts';
import { TABLE } from '../baselines/postgres-adapter.ts';
import { benchSite, membersOf } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import { fillAuthFamilies, fillStockFamilies } from '../data/families.ts';
import { untilMembersArrived } from '../data/members.ts';
import { fillAuth, fillStock, resourceServer, token } from '../data/tokens.ts';
import { ASKED_BEFORE } from '../measure.ts';
import type { LoadRequest, Suite } from '../suite.ts';
import { revocationDelays, revocationDelaysAtOnce, whileFrozen } from './revocation.ts';
import { exchangeComparison, type Sides } from './token-exchanges.ts';
import { ourFlow, signInComparison, signInPages } from './whole-sign-ins.ts';

const HOUR = 3_600;
/** The size of the service's connection pool. */
const POOL_SIZE = 10;
/** Introspected tokens, spread evenly over all stored ones. */
const ASKED = 1_000;
const LEAST_ASKED = 16;
/** Refresh tokens and codes for each second: more than any server here uses up. */
const SUPPLY = 3_000;
const REVOKED = 100;
const REVOKED_AT_ONCE = 20;

export const auth: Suite = async ({ stack, arguments: wanted, step, startBaseline, hold }) => {
  const { tokens, rounds, seconds } = wanted;
  const site = benchSite(stack);
  const { INTROSPECTION_CLIENT_ID: id = '', INTROSPECTION_CLIENT_SECRET: secret = '' } =
    stack.environment('member-api');
  const client = site.clients.find(
    ({ audience, client_secret }) => audience === 'member' && client_secret === undefined,
  )!;
  const { client_id: clientId } = client;
  const issuedAt = Math.floor(Date.now() / 1_000);
  const fill = { site, clientId, tokens, issuedAt, expiresAt: issuedAt + 2 * HOUR };
  const databaseUrl = await stockDatabase(stack.postgres!.adminUrl);
  await step(`load ${tokens} tokens, twice`, async () => {
    await fillAuth(stack.databaseUrl('auth'), fill);
    await fillStock(databaseUrl, fill, resourceServer(id, secret));
    hold({ tokens });
  });
  const supply = ASKED_BEFORE + Math.ceil(SUPPLY * seconds) * (rounds + 1);
  const redirectUri = 'http://127.0.0.1:7777/callback';
  await step(`load ${supply} refresh tokens and codes, twice`, async () => {
    for (const kind of ['RefreshToken', 'AuthorizationCode'] as const) {
      const families = { ...fill, kind, tokens: supply, redirectUri };
      await fillAuthFamilies(stack.databaseUrl('auth'), families);
      await fillStockFamilies(databaseUrl, families);
    }
    hold({ 'refresh tokens': supply, codes: supply });
  });
  const service = stack.services.find(({ name }) => name === 'auth')!;
  const people = { site, clientId, redirectUri };
  const pages = await signInPages(service.internalUrl, ourFlow(people), site);
  const configuration = { databaseUrl, poolSize: POOL_SIZE, issuer: site.base_url, pages };
  const stock = await startBaseline('stock', configuration satisfies StockConfiguration);
  const memberApi = stack.services.find(({ name }) => name === 'member-api')!;
  const asked = scaled(wanted, ASKED, LEAST_ASKED);
  const introspected = Array.from({ length: asked }, (_, index) => token(1 + Math.floor((index * tokens) / asked)));
  const requests = (path: string): LoadRequest[] =>
    introspected.map((value) => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `token=${value}&token_type_hint=access_token&client_id=${id}&client_secret=${encodeURIComponent(secret)}`,
    }));
  const { host } = new URL(site.base_url);
  const sides: Sides = {
    ours: { name: 'auth', origin: service.internalUrl, pid: () => service.pid! },
    baseline: { name: 'oidc-provider on PostgreSQL', origin: stock.origin, pid: () => stock.pid },
  };
  const exchanges = { sides, clientId, host, resource: site.base_url, redirectUri, supply };
  return [
    {
      suite: 'auth',
      title: 'introspection ÷ stock oidc-provider',
      goal: 4,
      ours: { ...sides.ours, requests: requests('/api/oauth/introspect'), facts },
      baseline: { ...sides.baseline, requests: requests('/token/introspection'), facts },
    },
    exchangeComparison('RefreshToken', exchanges),
    exchangeComparison('AuthorizationCode', exchanges),
    await step('sign people in', () => signInComparison({ ...people, sides })),
    {
      suite: 'auth',
      title: 'revocation sent → member-api refuses',
      goal: 50,
      samples: async () => {
        await untilMembersArrived(stack.databaseUrl('learner'), membersOf(site));
        return revocationDelays({
          auth: service.internalUrl,
          resourceServer: memberApi.internalUrl,
          host,
          clientId,
          tokens: Array.from({ length: scaled(wanted, REVOKED) }, (_, index) => token(1 + index)),
        });
      },
    },
    {
      suite: 'auth',
      title: 'the same while NATS hangs undetected',
      goal: 5_000,
      samples: () =>
        whileFrozen(stack.nats.pid!, () =>
          revocationDelaysAtOnce({
            auth: service.internalUrl,
            resourceServer: memberApi.internalUrl,
            host,
            clientId,
            tokens: Array.from({ length: scaled(wanted, REVOKED_AT_ONCE) }, (_, index) => token(1 + REVOKED + index)),
          }),
        ),
    },
  ];
};

/** Uses the PostgreSQL of the stack for both. */
async function stockDatabase(adminUrl: string): Promise<string> {
  await onDatabase(adminUrl, (client) => client.query('CREATE DATABASE bench_stock'));
  const url = new URL(adminUrl);
  url.pathname = '/bench_stock';
  await onDatabase(url.href, (client) => client.query(TABLE));
  return url.href;
}

/** The members of RFC 7662 §2.2 that both return. Auth returns more, and names a person by another id at each site. */
function facts(body: unknown): unknown {
  const { active, sub, client_id, iss, scope, iat, exp, token_type } = body as Record<string, unknown>;
  if (active !== true) throw new Error(`Not an active token: ${JSON.stringify(body)}`);
  return { active, sub: typeof sub, client_id, iss, scope, iat, exp, token_type };
}
