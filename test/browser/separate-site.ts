import { mintToken } from '@lyceum/testing';
import { randomBytes } from 'node:crypto';
import { applySite } from '../stack/auth-command.js';
import { rawHttp, type ApiResponse } from '../security/raw-http.js';
import { systemStack } from '../stack/system-stack.js';
import { newAddress, PASSWORD } from './deployment.js';
import type { Credentials } from './sign-in.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';
const SCOPE = ['appearance:read', 'appearance:write'];

/** A separate site, so that changes of its appearance do not disturb other tests. */
export interface OwnSite {
  readonly base_url: string;
  readonly name: string;
  readonly owner: Credentials;
  readonly client_id: string;
  /** An access token of the owner for the operator API. */
  readonly token: string;
  /** Sends a request of the owner to the operator API. */
  send(method: string, path: string, json?: object): Promise<ApiResponse>;
  patchAppearance(body: object): Promise<ApiResponse>;
}

/** Browsers resolve names below `localhost` to their own machine (RFC 6761 §6.3). */
export async function createSite(scopes: readonly string[] = SCOPE): Promise<OwnSite> {
  const edge = systemStack().sites[0]!.base_url;
  const slug = `look-${randomBytes(4).toString('hex')}`;
  const host = `${slug}.localhost:${new URL(edge).port}`;
  const site = { base_url: `http://${host}`, name: 'School of Looks', slug };
  const owner = { email: newAddress(), password: PASSWORD };
  const client_id = `${slug}-app`;
  await applySite({
    ...site,
    people: [{ ...owner, name: 'Zoë Walker', roles: ['owner'] }],
    clients: [{ client_id, name: 'Looks', audience: 'operator', redirect_uris: [CALLBACK], scopes: [...scopes] }],
  });
  const { access_token } = await mintToken({ site, via: edge, ...owner, client_id, scope: scopes.join(' ') });
  const headers = { host, authorization: `Bearer ${access_token}` };
  const send: OwnSite['send'] = (method, path, json) =>
    rawHttp(edge, `/api/v1${path}`, { method, headers, ...(json && { json }) });
  return {
    ...site,
    owner,
    client_id,
    token: access_token,
    send,
    patchAppearance: (json) => send('PATCH', '/appearance', json),
  };
}
