import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';

const REMEMBERED = {
  name: 'consent_remembered',
  text: `
    SELECT scopes FROM consents
     WHERE person_id = $1 AND client_key = $2 AND site_id = $3 AND resource = $4 AND expires_at > now()`,
};
/** A later approval extends a remembered one while it is valid, and replaces it afterwards. */
const REMEMBER = {
  name: 'consent_remember',
  text: `
    INSERT INTO consents AS c (person_id, client_key, site_id, resource, scopes, expires_at)
    VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
    ON CONFLICT (person_id, client_key, site_id, resource) DO UPDATE
       SET scopes = CASE WHEN c.expires_at > now()
             THEN ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes)) ELSE excluded.scopes END,
           granted_at = now(), expires_at = excluded.expires_at`,
};

export interface ConsentKey {
  readonly person_id: string;
  readonly client_key: string;
  readonly site_id: string;
  readonly resource: string;
}

const keyValues = (key: ConsentKey): string[] => [key.person_id, key.client_key, key.site_id, key.resource];

@Injectable()
export class ConsentsRepository {
  constructor(private readonly sql: Sql) {}

  async remembered(key: ConsentKey): Promise<readonly string[]> {
    const [row] = await this.sql.query<{ scopes: string[] }>(REMEMBERED, keyValues(key));
    return row?.scopes ?? [];
  }

  async forgetClient(manager: EntityManager, clientKey: string): Promise<void> {
    await manager.query('DELETE FROM consents WHERE client_key = $1', [clientKey]);
  }

  async withdraw(
    manager: EntityManager,
    { person_id, site_id, client_key }: Pick<ConsentKey, 'person_id' | 'site_id' | 'client_key'>,
  ): Promise<void> {
    await manager.query('DELETE FROM consents WHERE person_id = $1 AND client_key = $2 AND site_id = $3', [
      person_id,
      client_key,
      site_id,
    ]);
  }

  async remember(key: ConsentKey, scopes: readonly string[], lifetime: number): Promise<void> {
    await this.sql.query(REMEMBER, [...keyValues(key), scopes, lifetime]);
  }
}
