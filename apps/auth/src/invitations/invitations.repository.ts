import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import { sha256 } from '#src/secrets/digest.js';
import type { Invitation, InvitationPurpose } from './invitation.js';

export interface NewInvitation {
  readonly token: string;
  readonly person_id: string;
  readonly site_id: string;
  readonly purpose: InvitationPurpose;
  /** Seconds from the request. */
  readonly lifetime: number;
  /** Now, if undefined. */
  readonly requestedAt?: Date | undefined;
}

/** $1 digest of the token, $2 site. An invitation sets the first password only. */
const IS_OPEN = `i.token_hash = $1 AND i.site_id = $2 AND i.used_at IS NULL AND i.expires_at > now()
       AND p.person_id = i.person_id AND p.state = 'active'
       AND (i.purpose = 'password_reset' OR p.password_hash IS NULL)`;
const OPEN = {
  name: 'invitation_open',
  text: `SELECT i.person_id, p.email, p.name, i.purpose FROM invitations i, people p WHERE ${IS_OPEN}`,
};

@Injectable()
export class InvitationsRepository {
  constructor(private readonly sql: Sql) {}

  async open(siteId: string, token: string): Promise<Invitation | undefined> {
    const [row] = await this.sql.query<Invitation>(OPEN, [sha256(token), siteId]);
    return row;
  }

  /** Ends older links of the same purpose at the site. The caller has locked the person. */
  async insert(manager: EntityManager, invitation: NewInvitation): Promise<void> {
    const { token, person_id, site_id, lifetime, purpose, requestedAt = null } = invitation;
    await manager.query(
      `UPDATE invitations SET used_at = now()
        WHERE person_id = $1 AND site_id = $2 AND purpose = $3 AND used_at IS NULL`,
      [person_id, site_id, purpose],
    );
    await manager.query(
      `INSERT INTO invitations (token_hash, person_id, site_id, expires_at, purpose)
       VALUES ($1, $2, $3, coalesce($6::timestamptz, now()) + make_interval(secs => $4), $5)`,
      [sha256(token), person_id, site_id, lifetime, purpose, requestedAt],
    );
  }

  /** False when the link is no longer open. The caller has locked the person. */
  async use(manager: EntityManager, siteId: string, token: string): Promise<boolean> {
    const used = await rows(
      manager,
      `UPDATE invitations i SET used_at = now() FROM people p WHERE ${IS_OPEN} RETURNING 1 AS used`,
      [sha256(token), siteId],
    );
    return used.length === 1;
  }
}
