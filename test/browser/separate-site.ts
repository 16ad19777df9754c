import { mintToken } from '@lyceum/testing';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { command } from '../stack/auth-command.js';
import { rawHttp, type ApiResponse } from '../security/raw-http.js';
import { systemStack } from '../stack/system-stack.js';
import { newPerson } from './deployment.js';
import type { Credentials } from './sign-in.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';
const SCOPE = 'appearance:read appearance:write';

/** A separate site, so that changes of its appearance do not disturb other tests. */
export interface OwnSite {
  readonly base_url: string;
  readonly name: string;
  readonly owner: Credentials;
  readonly client_id: string;
  /** Changes it by the operator API. */
  patchAppearance(body: object): Promise<ApiResponse>;
}

/** Browsers resolve names below `localhost` to their own machine (RFC 6761 §6.3). */
export async function createSite(page: Page): Promise<OwnSite> {
  const edge = systemStack().sites[0]!.base_url;
  const slug = `look-${randomBytes(4).toString('hex')}`;
  const host = `${slug}.localhost:${new URL(edge).port}`;
  const site = { base_url: `http://${host}`, name: 'School of Looks' };
  await command('site', 'create', '--base-url', site.base_url, '--name', site.name, '--slug', slug);
  const owner = await newPerson(page, site, 'owner');
  const client = ['--name', 'Looks', '--audience', 'operator', '--redirect-uri', CALLBACK, '--scope', SCOPE];
  const { client_id } = (await command('client', 'create', '--site', site.base_url, ...client)) as {
    client_id: string;
  };
  const { access_token } = await mintToken({ site, via: edge, ...owner, client_id, scope: SCOPE });
  const headers = { host, authorization: `Bearer ${access_token}` };
  return {
    ...site,
    owner,
    client_id,
    patchAppearance: (json) => rawHttp(edge, '/api/v1/appearance', { method: 'PATCH', json, headers }),
  };
}
