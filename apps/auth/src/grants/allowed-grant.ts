import { isPresent } from '#src/database/present-member.js';

/**
 * SQL that selects the columns if client, person, membership and site allow a grant, and locks these rows. A
 * transaction that ends all grants changes one of them first, so one of the two waits and reads the other's result.
 *
 * Parameters: $2 site, $3 person, $4 client_id, $7 the number of sign-outs, $8 the scopes.
 *
 * @param also A table, and its condition
 */
export function allowedGrant(columns: string, also: { readonly table?: string; readonly condition: string }): string {
  const tables = [
    'clients c',
    'people p',
    'site_members m',
    'sites s',
    ...(also.table === undefined ? [] : [also.table]),
  ];
  return `
    SELECT ${columns} FROM ${tables.join(', ')}
     WHERE c.client_id = $4 AND (c.site_id = $2 OR c.site_id IS NULL) AND c.deleted_at IS NULL
       AND $8::text[] <@ c.scopes AND c.review IS DISTINCT FROM 'blocked'
       AND p.person_id = $3 AND p.sign_outs = $7 AND m.person_id = $3 AND m.site_id = $2 AND ${isPresent('m')}
       AND s.site_id = $2 AND s.state = 'active' AND ${also.condition}
     ORDER BY c.site_id NULLS LAST LIMIT 1
       FOR SHARE`;
}
