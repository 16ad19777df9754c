import type { Stack } from '@lyceum/local';
import { surfaceToken } from '@lyceum/testing';
import { benchSite } from '../bench-stack.ts';
import { exchange } from '../exchange.ts';

const JSON_BODY = { 'content-type': 'application/json' };

export type Send = <Response = { readonly id: string }>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
) => Promise<Response>;

/** Sends requests to the operator API by the owner of the site. */
export async function operatorOf(stack: Stack, scope = 'courses:write students:read students:write'): Promise<Send> {
  const site = benchSite(stack);
  const { host } = new URL(site.base_url);
  const { internalUrl: via } = stack.services.find(({ name }) => name === 'auth')!;
  const { internalUrl: origin } = stack.services.find(({ name }) => name === 'admin-api')!;
  const person = site.people.find(({ roles }) => roles.includes('owner'))!;
  const token = await surfaceToken({ site: { ...site, host }, via, person, audience: 'operator', scope });
  return sendBy(origin, { host, token });
}

/** Sends requests to the operator API of a site with an access token. */
export function sendBy(origin: string, { host, token }: { readonly host: string; readonly token: string }): Send {
  const headers = { host, authorization: `Bearer ${token}` };
  return async <Response>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const response = await exchange(origin, {
      method,
      path: `/api/v1${path}`,
      headers: { ...headers, ...(body === undefined ? {} : JSON_BODY) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.body.slice(0, 500)}`);
    return JSON.parse(response.body) as Response;
  };
}
