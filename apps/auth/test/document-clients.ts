import { eventually } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { DocumentAdministration } from '#src/client-documents/document.administration.js';
import { SOON_SEEN, startAuth } from './auth.js';
import { startDocumentHost } from './document-host.js';
import { Flow } from './flow.js';
import type { Parameters } from './flow.js';

export const REDIRECT = 'https://app.example/callback';

/** An auth server that accepts documents of two hosts, with helpers for such clients. */
export async function startDocumentClients() {
  let paths = 0;
  const host = await startDocumentHost();
  const auth = await startAuth({ documents: host.network, environment: SOON_SEEN });
  const administration = auth.app.get(DocumentAdministration);
  await administration.allow(auth.site.site_id, 'app.example');
  await administration.allow(auth.site.site_id, 'claude.ai');

  /** Serves a document at a new URL; returns its client_id. */
  const publish = (document: object = {}, hostname = 'app.example'): string => {
    const path = `/client-${(paths += 1)}.json`;
    const client_id = `https://${hostname}${path}`;
    host.serve(path, { client_id, client_name: 'An App', redirect_uris: [REDIRECT], ...document });
    return client_id;
  };
  const change = (client_id: string, document: object): void =>
    host.serve(new URL(client_id).pathname, {
      client_id,
      client_name: 'An App',
      redirect_uris: [REDIRECT],
      ...document,
    });
  const request = (client_id: string, more: Parameters = {}): Parameters => ({
    client_id,
    redirect_uri: REDIRECT,
    scope: 'openid courses:read',
    ...more,
  });
  const open = (client_id: string, more: Parameters = {}, flow = new Flow(auth)): Promise<Page> =>
    flow.browser.open(flow.authorizationUrl(request(client_id, more)));
  const isAccepted = (page: Page): boolean => page.status === 200 && page.body.includes('name="password"');
  const tokensOf = async (client_id: string, more: Parameters = {}) => {
    const flow = new Flow(auth);
    const callback = await flow.callback(request(client_id, more), 'owner');
    const redirect_uri = more['redirect_uri'] ?? REDIRECT;
    const { status, body } = await flow.exchange(callback.get('code'), { client_id, redirect_uri });
    expect(status).toBe(200);
    return body as { access_token: string; refresh_token: string; scope: string };
  };
  const outdate = (client_id: string, by = '1 second') =>
    auth.sql(
      `UPDATE client_documents d SET expires_at = now() - $2::interval
         FROM clients c WHERE c.client_key = d.client_key AND c.client_id = $1`,
      [client_id, by],
    );
  const stored = async (client_id: string) => {
    const [row] = await auth.sql<{
      name: string;
      review: string;
      redirect_uris: string[];
      lasts: number;
      etag: string;
    }>(
      `SELECT name, review, redirect_uris, etag, extract(epoch FROM expires_at - fetched_at)::int AS lasts
         FROM clients JOIN client_documents USING (client_key) WHERE client_id = $1`,
      [client_id],
    );
    return row;
  };
  /** Retries until the site accepts the document: a replica sees a changed site a moment later. */
  const untilAccepted = async (open: () => Promise<Page>): Promise<void> => {
    await eventually(open, isAccepted);
  };
  /** Resets the state between two tests. */
  const reset = async (): Promise<void> => {
    host.requests.splice(0);
    host.down(false);
    await auth.resetLimits();
  };
  const stop = async (): Promise<void> => {
    await auth.stop();
    await host.stop();
  };
  return {
    host,
    auth,
    administration,
    publish,
    change,
    request,
    open,
    isAccepted,
    tokensOf,
    untilAccepted,
    outdate,
    stored,
    reset,
    stop,
  };
}

export type DocumentClients = Awaited<ReturnType<typeof startDocumentClients>>;
