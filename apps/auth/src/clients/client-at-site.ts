interface ClientKeyColumns {
  /** SQL expressions. */
  readonly clientId: string;
  readonly siteId: string;
}

/** The secret before the current one, while it is valid. */
export const PREVIOUS_SECRET = `
  case when previous_secret_until > now() then previous_secret_hash end as previous_secret_hash`;

/** The columns of `OAuthClient`. */
export const CLIENT_COLUMNS = `client_key, client_id, site_id, name, audience, source, secret_hash, ${PREVIOUS_SECRET},
  case when previous_secret_until > now() then previous_secret_until end as previous_secret_until, redirect_uris,
  post_logout_redirect_uris, compatibility_mode, scopes, review, version, created_at, last_used_at`;

/** The client with an id at a site. A site's own client takes precedence over a platform's of the same id. */
export function clientAtSite(
  columns: string,
  { clientId, siteId }: ClientKeyColumns = { clientId: '$1', siteId: '$2' },
): string {
  return `
    SELECT ${columns} FROM clients
     WHERE client_id = ${clientId} AND (site_id = ${siteId} OR site_id IS NULL) AND deleted_at IS NULL
       AND review IS DISTINCT FROM 'blocked'
     ORDER BY site_id NULLS LAST LIMIT 1`;
}
