import { Authenticator, OAuthClient, eventually, type CeremonyOptions, type Page } from '@lyceum/testing';
import { clientOf, personOf } from '../stack/system-stack.ts';
import { MEMBER_SCOPE, OPERATOR_SCOPE, type ScaleStack } from './scale-stack.ts';
import { Turns } from './turns.ts';

const VIEWER = { query: '{ viewer { name } }' };
const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** A sign-in for an application, from the authorization request to a rotated refresh token. */
export async function signInByTurns(scale: ScaleStack): Promise<{ statuses: number[]; used: readonly number[] }> {
  const { site } = scale;
  const turns = new Turns(scale.replicas('auth'), site);
  const browser = turns.browser();
  const { client_id, redirect_uris } = clientOf(site, 'member', 'public');
  const client = new OAuthClient({
    browser,
    client_id,
    redirect_uri: redirect_uris[0] ?? '',
    scope: MEMBER_SCOPE,
    resource: site.base_url,
  });
  const { email, password } = personOf(site, 'student');
  const consent = await browser.submit(await browser.open(client.authorization()), 'password', { email, password });
  const { url } = await browser.submit(consent, 'decision', { decision: 'approve' });
  const exchanged = await turns.send<{ refresh_token: string }>('/api/oauth/token', {
    form: client.exchangeForm(client.codeIn(url.searchParams)),
  });
  const refreshed = await turns.send('/api/oauth/token', {
    form: client.refreshForm(exchanged.body.refresh_token),
  });
  return { statuses: [exchanged.status, refreshed.status], used: turns.used };
}

export interface PasskeySteps {
  readonly created: Page;
  readonly signedIn: Page;
  /** The second use of the same response. */
  readonly replayed: Page;
  readonly used: readonly number[];
}

/** Adds a passkey at the account, signs in with it in another browser, and sends the same response again. */
export async function passkeyByTurns(scale: ScaleStack): Promise<PasskeySteps> {
  const { site } = scale;
  const turns = new Turns(scale.replicas('auth'), site);
  const { email, password } = personOf(site, 'lecturer');
  const authenticator = new Authenticator(site.base_url);

  const browser = turns.browser();
  await browser.submit(await browser.open('/account'), 'password', { email, password });
  const adding = await browser.submit(await browser.open('/account/passkeys'), 'current', { current: password });
  const created = await browser.submit(adding, 'credential', {
    credential: authenticator.create(optionsOf(adding)),
    name: 'By turns',
  });

  const other = turns.browser();
  const page = await other.open('/account/sign-in');
  const credential = authenticator.get(optionsOf(page));
  const signedIn = await other.submit(page, 'credential', { credential });
  const replayed = await turns.browser().submit(page, 'credential', { credential });
  return { created, signedIn, replayed, used: turns.used };
}

/** The passkey options of a page. */
function optionsOf({ body, url }: Page): CeremonyOptions {
  const text = /data-passkey="([^"]*)"/.exec(body)?.[1];
  if (text === undefined) throw new Error(`Nothing is asked of the browser at ${url.href}`);
  return JSON.parse(text.replaceAll('&quot;', '"')) as CeremonyOptions;
}

/** The statuses of both replicas of each resource server, with a token for it. */
export async function tokenStatuses(scale: ScaleStack, member: string, operator: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const [name, path, token, json] of [
    ['member-api', '/member/graphql', member, VIEWER],
    ['admin-api', '/api/v1/courses', operator, undefined],
    ['mcp-gateway', '/mcp', member, LIST_TOOLS],
  ] as const) {
    const turns = new Turns(scale.replicas(name), scale.site);
    for (let count = 0; count < 2; count += 1) statuses.push((await turns.send(path, { token, json })).status);
  }
  return statuses;
}

/** Revokes new tokens at one replica of auth, and waits until all replicas of all resource servers refuse them. */
export async function revokeEverywhere(scale: ScaleStack): Promise<{ before: number[]; after: number[] }> {
  const { site } = scale;
  const [member, operator] = await Promise.all([
    scale.grant('student', 'member', MEMBER_SCOPE),
    scale.grant('owner', 'operator', OPERATOR_SCOPE),
  ]);
  const statuses = (): Promise<number[]> => tokenStatuses(scale, member.access_token, operator.access_token);
  const before = await statuses();
  const auth = new Turns(scale.replicas('auth'), site);
  for (const [audience, { access_token }] of [
    ['member', member],
    ['operator', operator],
  ] as const)
    await auth.send('/api/oauth/revoke', {
      form: { token: access_token, client_id: clientOf(site, audience, 'public').client_id },
    });
  const after = await eventually(statuses, (now) => now.every((status) => status === 401));
  return { before, after };
}

/** Refreshes by turns until a replica refuses; then asks each replica again. */
export async function refreshUntilLimited(scale: ScaleStack): Promise<{ accepted: number; refused: number[] }> {
  const { site } = scale;
  const turns = new Turns(scale.replicas('auth'), site);
  const { client_id } = clientOf(site, 'member', 'public');
  let { refresh_token = '' } = await scale.grant('student', 'member', MEMBER_SCOPE);
  const refresh = async (): Promise<number> => {
    const { status, body } = await turns.send<{ refresh_token?: string }>('/api/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token, client_id },
    });
    refresh_token = body.refresh_token ?? refresh_token;
    return status;
  };
  return untilLimited(refresh);
}

/** Sends tool messages by turns until a replica refuses; then asks each replica again. */
export async function messagesUntilLimited(scale: ScaleStack): Promise<{ accepted: number; refused: number[] }> {
  const turns = new Turns(scale.replicas('mcp-gateway'), scale.site);
  const { access_token: token } = await scale.grant('admin', 'operator', OPERATOR_SCOPE);
  return untilLimited(async () => (await turns.send('/mcp', { token, json: LIST_TOOLS })).status);
}

/** A replica can refuse while the other one still has units of its lease: both must refuse one after the other. */
async function untilLimited(request: () => Promise<number>): Promise<{ accepted: number; refused: number[] }> {
  let accepted = 0;
  let refused: number[] = [];
  while (refused.length < 2 && accepted < 1_000) {
    const status = await request();
    if (status === 200) [accepted, refused] = [accepted + 1, []];
    else refused.push(status);
  }
  return { accepted, refused };
}
