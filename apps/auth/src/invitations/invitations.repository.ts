import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import { sha256 } from '#src/tokens/digest.js';

/** A first password, or another one. */
export type InvitationPurpose = 'invitation' | 'password_reset';

export interface Invitation {
  readonly person_id: string;
  readonly email: string;
}

const OPEN = {
  name: 'invitation_open',
  text: `
    SELECT i.person_id, p.email FROM invitations i JOIN people p USING (person_id)
     WHERE i.token_hash = $1 AND i.site_id = $2 AND i.used_at IS NULL AND i.expires_at > now() AND p.state = 'active'`,
};

@Injectable()
export class InvitationsRepository {
  constructor(private readonly sql: Sql) {}

  async open(siteId: string, token: string): Promise<Invitation | undefined> {
    const [row] = await this.sql.query<Invitation>(OPEN, [sha256(token), siteId]);
    return row;
  }

  async insert(
    manager: EntityManager,
    invitation: { token: string; person_id: string; site_id: string; lifetime: number; purpose: InvitationPurpose },
  ): Promise<void> {
    const { token, person_id, site_id, lifetime, purpose } = invitation;
    await manager.query(
      `INSERT INTO invitations (token_hash, person_id, site_id, expires_at, purpose)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5)`,
      [sha256(token), person_id, site_id, lifetime, purpose],
    );
  }

  /** Compare-and-set: of two that follow the link at once, one gets the person. All other links of the person end too. */
  async use(manager: EntityManager, siteId: string, token: string): Promise<string | undefined> {
    const [row] = await rows<{ person_id: string }>(
      manager,
      `UPDATE invitations SET used_at = now()
        WHERE token_hash = $1 AND site_id = $2 AND used_at IS NULL AND expires_at > now() RETURNING person_id`,
      [sha256(token), siteId],
    );
    if (row === undefined) return undefined;
    await manager.query('UPDATE invitations SET used_at = now() WHERE person_id = $1 AND used_at IS NULL', [
      row.person_id,
    ]);
    return row.person_id;
  }
}
