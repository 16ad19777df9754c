import { EXPLORER, REFERENCE } from '#src/protocol/paths.js';
import type { OAuthClient } from './client.js';

/** The pages for developers that sign in, each with an application of the site whose redirect URI is its address. */
export const PAGE_CLIENTS = {
  reference: { path: REFERENCE, audience: 'operator' },
  explorer: { path: EXPLORER, audience: 'member' },
} as const satisfies Readonly<Record<string, Pick<OAuthClient, 'audience'> & { readonly path: string }>>;

export type ClientPage = keyof typeof PAGE_CLIENTS;

export const isClientPage = (value: unknown): value is ClientPage =>
  typeof value === 'string' && Object.hasOwn(PAGE_CLIENTS, value);

type Candidate = Pick<OAuthClient, 'client_id' | 'audience' | 'secret_hash' | 'redirect_uris' | 'scopes'>;

/** The application with which a page signs in, and the scopes that it requests unless the visitor changes them. */
export interface PageClient {
  readonly client_id: string;
  readonly scope: string;
}

/** A site with pages. */
export interface PagesOf {
  readonly base_url: string;
}

/** True for the redirect URI of a page, which keeps its access token in memory and has no use for a refresh token. */
export const isPageUri = (uri: string, { base_url }: PagesOf): boolean =>
  Object.values(PAGE_CLIENTS).some(({ path }) => uri === `${base_url}${path}`);

export type PageClients = Readonly<Record<ClientPage, PageClient | undefined>>;

/** The newest public application that an owner has added for a page, by its redirect URI. It starts with reading. */
export function clientOfPage(
  clients: readonly Candidate[],
  page: ClientPage,
  { base_url }: PagesOf,
): PageClient | undefined {
  const { path, audience } = PAGE_CLIENTS[page];
  const fits = (client: Candidate): boolean =>
    client.audience === audience && client.secret_hash === null && client.redirect_uris.includes(`${base_url}${path}`);
  const client = clients.find(fits);
  if (client === undefined) return undefined;
  const reads = client.scopes.filter((scope) => scope.endsWith(':read'));
  return { client_id: client.client_id, scope: (reads.length > 0 ? reads : client.scopes).join(' ') };
}
