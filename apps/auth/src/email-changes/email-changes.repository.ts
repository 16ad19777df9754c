import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { isPresent } from '#src/database/present-member.js';
import { rows } from '#src/database/rows.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { sha256 } from '#src/secrets/digest.js';
import type { EmailChangeOutcome, EmailChangeSide, LinkedEmailChange, OpenEmailChange } from './email-change.js';

export interface NewEmailChange {
  readonly person_id: string;
  readonly site_id: string;
  readonly new_email: string;
  /** The tokens of the two links. */
  readonly approval: string;
  readonly confirmation: string;
}

const COLUMNS = `e.new_email, e.approved_at is not null as approved, e.confirmed_at is not null as confirmed, e.expires_at`;
const OPEN = {
  name: 'email_change_open',
  text: `
    select ${COLUMNS} from email_changes e join people p using (person_id)
     where e.person_id = $1 and e.site_id = $2 and e.outcome is null and e.expires_at > now()
       and e.sign_outs = p.sign_outs`,
};
/** $1 digest of the token, $2 site. Ended sessions make an open change void; a finished one shows its outcome. */
const LINKED = `
    select e.person_id, ${COLUMNS}, e.outcome, p.email,
           case when e.approve_hash = $1 then 'approval' else 'confirmation' end as side,
           exists (select 1 from people o where o.email = e.new_email and o.person_id <> e.person_id) as taken
      from email_changes e
      join people p on p.person_id = e.person_id and p.state = 'active'
      join site_members m on m.person_id = e.person_id and m.site_id = e.site_id and ${isPresent('m')}
     where (e.approve_hash = $1 or e.confirm_hash = $1) and e.site_id = $2 and e.expires_at > now()
       and (e.outcome is not null or e.sign_outs = p.sign_outs)`;
const FIND = { name: 'email_change_linked', text: LINKED };

/** Two equal requests within this time are one. */
const TWICE_SECONDS = 5;

@Injectable()
export class EmailChangesRepository {
  constructor(private readonly sql: Sql) {}

  /** The change that the person has requested at the site. */
  async open(personId: string, siteId: string): Promise<OpenEmailChange | undefined> {
    const [row] = await this.sql.query<OpenEmailChange>(OPEN, [personId, siteId]);
    return row;
  }

  async find(siteId: string, token: string): Promise<LinkedEmailChange | undefined> {
    const [row] = await this.sql.query<LinkedEmailChange>(FIND, [sha256(token), siteId]);
    return row;
  }

  /** Locks the person and the change, so that the second of two decisions sees the first. */
  async lock(manager: EntityManager, siteId: string, token: string): Promise<LinkedEmailChange | undefined> {
    const [row] = await rows<LinkedEmailChange>(manager, `${LINKED} for update of p, e`, [sha256(token), siteId]);
    return row;
  }

  /**
   * Replaces an earlier change. Locks the person before the change, as all transactions that need both. False for the
   * second of two equal requests, such as those of a double click: the links of the first one stay valid.
   */
  async save(manager: EntityManager, change: NewEmailChange): Promise<boolean> {
    const { person_id, site_id, new_email, approval, confirmation } = change;
    const saved = await rows(
      manager,
      `insert into email_changes (person_id, site_id, new_email, approve_hash, confirm_hash, sign_outs, expires_at)
       select p.person_id, $2, $3, $4, $5, p.sign_outs, now() + make_interval(secs => $6)
         from people p where p.person_id = $1 for no key update
       on conflict (person_id) do update set site_id = excluded.site_id, new_email = excluded.new_email,
              approve_hash = excluded.approve_hash, confirm_hash = excluded.confirm_hash,
              sign_outs = excluded.sign_outs, approved_at = null, confirmed_at = null, outcome = null,
              expires_at = excluded.expires_at
        where (email_changes.site_id, email_changes.new_email) <> (excluded.site_id, excluded.new_email)
           or email_changes.outcome is not null or email_changes.sign_outs <> excluded.sign_outs
           or email_changes.expires_at < excluded.expires_at - make_interval(secs => $7)
       returning 1 as saved`,
      [person_id, site_id, new_email, sha256(approval), sha256(confirmation), LIFETIMES.emailChange, TWICE_SECONDS],
    );
    return saved.length === 1;
  }

  async agree(manager: EntityManager, personId: string, side: EmailChangeSide): Promise<void> {
    const column = side === 'approval' ? 'approved_at' : 'confirmed_at';
    await manager.query(`update email_changes set ${column} = now() where person_id = $1`, [personId]);
  }

  /** False when the person has no open change at the site. */
  async end(manager: EntityManager, personId: string, siteId: string, outcome: EmailChangeOutcome): Promise<boolean> {
    const ended = await rows(
      manager,
      `update email_changes set outcome = $3
        where person_id = $1 and site_id = $2 and outcome is null returning 1 as ended`,
      [personId, siteId, outcome],
    );
    return ended.length === 1;
  }
}
