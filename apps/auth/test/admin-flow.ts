import { ClientSecrets } from '#src/clients/client-secrets.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { eventually } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

/** Sets the beta feature "MCP connections", and waits until the admin area follows. */
export async function switchConnections(auth: TestAuth, mcp_connections: boolean): Promise<void> {
  await auth.app.get(SitesService).changeSettings(auth.site.site_id, () => ({ mcp_connections }));
  const { flow } = await signedIn(auth, '/admin');
  await eventually(
    () => flow.browser.open('/admin/applications'),
    ({ status }) => status === (mcp_connections ? 200 : 404),
  );
}

/** Replaces the secret of a client at once. Returns the new one. */
export function renewSecret(auth: TestAuth, client_id: string): Promise<string> {
  const rotation = { client_id, site_id: auth.site.site_id, overlap: 0, actor: null };
  return auth.app.get(ClientSecrets, { strict: false }).renew(rotation);
}

/** A browser that is signed in, with the page of the path. */
export async function signedIn(
  auth: TestAuth,
  path: string,
  name = 'owner',
  site: TestSite = auth.site,
): Promise<{ flow: Flow; page: Page }> {
  const flow = new Flow(auth, site);
  return { flow, page: await flow.signIn(await flow.browser.open(path), name) };
}

export const csrfOf = ({ body }: Pick<Page, 'body'>): string => /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';

/** The values that the first form with them was made from. */
export const baseOf = ({ body }: Pick<Page, 'body'>): string => /name="base" value="([^"]+)"/.exec(body)?.[1] ?? '';

/** The text of the element with the id. */
export const textOf = ({ body }: Page, id: string): string => new RegExp(`id="${id}">([^<]+)<`).exec(body)?.[1] ?? '';
