/** Requests with values that callers invent: paths, hosts, ids, names of tools, operations and clients. */
import { randomUUID } from 'node:crypto';
import { rawHttp } from '../security/raw-http.js';
import type { Sent } from '../security/raw-http.js';
import type { SystemService, SystemSite } from '../stack/system-stack.js';
import type { Tokens } from './requests.ts';

/** Begins each invented value. */
export const INVENTED = 'invented';
const AT_ONCE = 8;

/** Sends `rounds` requests of each kind, each with values of its own. */
export async function sendInventedValues(
  services: readonly SystemService[],
  site: SystemSite,
  { member, operator }: Tokens,
  rounds: number,
): Promise<void> {
  const { host } = new URL(site.base_url);
  const urlOf = (name: string): string => services.find((service) => service.name === name)!.internal_url;
  const send = (service: string, path: string, { headers, ...sent }: Sent = {}): Promise<unknown> =>
    rawHttp(urlOf(service), path, { ...sent, headers: { host, 'x-forwarded-for': source(), ...headers } });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const kinds: readonly (() => Promise<unknown>)[] = [
    ...services.map(
      ({ name }) =>
        () =>
          send(name, `/${value()}`),
    ),
    ...services.map(
      ({ name }) =>
        () =>
          send(name, '/', { headers: { host: `${value()}.example` } }),
    ),
    () => send('admin-api', `/api/v1/courses/${randomUUID()}`, { headers: as(operator) }),
    () => send('admin-api', `/api/v1/${value()}/${value()}?q=${value()}`, { headers: as(operator) }),
    () => send('member-api', '/member/graphql', { headers: as(member), json: query() }),
    () => send('mcp-gateway', '/mcp', { headers: MCP, json: { ...tool, params: { name: value() } } }),
    () => send('mcp-gateway', '/mcp', { headers: MCP, json: { ...tool, method: value() } }),
    () => send('auth', '/api/oauth/token', { form: { grant_type: value(), client_id: value() } }),
    () => send('auth', `/api/oauth/authorize?client_id=${value()}&response_type=code&scope=${value()}`),
  ];
  const requests = Array.from({ length: rounds }, () => kinds).flat();
  while (requests.length > 0) await Promise.all(requests.splice(0, AT_ONCE).map((request) => request()));
}

const MCP = { accept: 'application/json, text/event-stream' };
const value = (): string => `${INVENTED}-${randomUUID()}`;
const query = (): object => ({ query: `query ${value().replaceAll('-', '_')} { viewer { id } }` });
/** An address of its own for each request, so that no limit of a source stops the requests. */
const source = (): string => `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`;
