/** The client of id $1 at site $2. A site's own goes before a platform's of the same id. */
export function clientAtSite(columns: string): string {
  return `
    SELECT ${columns} FROM clients
     WHERE client_id = $1 AND (site_id = $2 OR site_id IS NULL) AND deleted_at IS NULL
       AND review IS DISTINCT FROM 'blocked'
     ORDER BY site_id NULLS LAST LIMIT 1`;
}
