import { eventually } from '@lyceum/testing';
import type pg from 'pg';

/**
 * Waits until the service knows a person as a member of a site. Events of auth and of admin-api arrive in any order,
 * and a mail needs all of them.
 */
export async function untilMember(database: pg.Client, personId: string): Promise<void> {
  const text = 'select from people join memberships using (person_id) join sites using (site_id) where person_id = $1';
  await eventually(async () => (await database.query(text, [personId])).rowCount === 1);
}
