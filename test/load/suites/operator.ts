import type { Stack } from '@lyceum/local';
import { surfaceToken } from '@lyceum/testing';
import { benchSite } from '../bench-stack.ts';
import { exchange } from '../exchange.ts';

const JSON_BODY = { 'content-type': 'application/json' };

export type Write = (method: 'POST' | 'PATCH', path: string, body?: object) => Promise<{ readonly id: string }>;

/** Writes to the operator API by the owner of the site. */
export async function operatorOf(stack: Stack): Promise<Write> {
  const site = benchSite(stack);
  const { host } = new URL(site.base_url);
  const { internalUrl: via } = stack.services.find(({ name }) => name === 'auth')!;
  const { internalUrl: origin } = stack.services.find(({ name }) => name === 'admin-api')!;
  const person = site.people.find(({ roles }) => roles.includes('owner'))!;
  const scope = 'courses:write students:write';
  const token = await surfaceToken({ site: { ...site, host }, via, person, audience: 'operator', scope });
  const headers = { host, authorization: `Bearer ${token}` };
  return async (method, path, body) => {
    const response = await exchange(origin, {
      method,
      path: `/api/v1${path}`,
      headers: { ...headers, ...(body === undefined ? {} : JSON_BODY) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.body.slice(0, 500)}`);
    return JSON.parse(response.body) as { id: string };
  };
}
