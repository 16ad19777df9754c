import type { TestIdentity, stageOne } from './identity.js';

type Stage = Awaited<ReturnType<typeof stageOne>>;

/** Inserts a grant without codes and tokens. `age` is an interval of PostgreSQL. */
export async function oldGrant(
  identity: TestIdentity,
  { site_id, person_id, client_key }: Stage,
  { id, age }: { readonly id: string; readonly age: string },
): Promise<void> {
  await identity.sql(
    `INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'client', 'member', '{}', now() - $5::interval, now() + interval '1 day')`,
    [id, site_id, person_id, client_key, age],
  );
}
