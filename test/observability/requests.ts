/** Requests to all services of a site, with the tokens for them. */
import { mintToken } from '@lyceum/testing';
import { graphql, send } from '../clients/http.js';
import { clientOf, personOf } from '../stack/system-stack.js';
import type { SystemSite } from '../stack/system-stack.js';

export interface Tokens {
  readonly member: string;
  readonly operator: string;
}

export async function tokensOf(site: SystemSite): Promise<Tokens> {
  const mint = async (role: string, audience: 'operator' | 'member', scope: string): Promise<string> =>
    (await mintToken({ site, ...personOf(site, role), ...clientOf(site, audience, 'public'), scope })).access_token;
  return {
    member: await mint('student', 'member', 'openid account:read'),
    operator: await mint('owner', 'operator', 'openid courses:read courses:write'),
  };
}

/** Calls a tool with one request, and returns its status. */
export async function callTool(
  { base_url }: Pick<SystemSite, 'base_url'>,
  name: string,
  options: { token?: string; arguments?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<number> {
  const { token, headers = {}, arguments: given = {} } = options;
  const { status } = await send(`${base_url}/mcp`, {
    ...(token === undefined ? {} : { token }),
    headers: { accept: 'application/json, text/event-stream', ...headers },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  });
  return status;
}

/** One request to each kind of endpoint. Returns the statuses. */
export async function requestEach(site: SystemSite, { member, operator }: Tokens): Promise<number[]> {
  const { base_url } = site;
  const responses = await Promise.all([
    send(`${base_url}/.well-known/oauth-authorization-server`),
    send(`${base_url}/api/v1/courses`, { token: operator }),
    graphql(base_url, member, '{ viewer { id } }'),
  ]);
  return [
    ...responses.map(({ status }) => status),
    await callTool(site, 'browse_catalog'),
    await callTool(site, 'my_courses', { token: member }),
  ];
}
