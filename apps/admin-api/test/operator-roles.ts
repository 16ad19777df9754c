import type { TestSite } from '@lyceum/testing';
import type pg from 'pg';
import type { TestApi } from './admin-api.js';

/** The roles of the operator of the tests, as the service reads them from events of auth. */
export async function giveOperatorRoles(
  api: TestApi,
  database: pg.Client,
  roles: readonly string[],
  site: TestSite = api.sites[0],
): Promise<void> {
  const body = { collection: 'students', format: 'csv' };
  const made = await api.send('POST', '/api/v1/exports?dry_run=true', { site, body });
  await database.query(
    `insert into members (site_id, id, person_id, email, name, state, roles, joined_at, source_epoch, source_version)
     values ($1, $2, $2, 'operator@example.com', 'Operator', 'active', $3, now(), 1, 1)
     on conflict (site_id, id) do update set roles = excluded.roles`,
    [site.site_id, made.body['created_by'], roles],
  );
}
