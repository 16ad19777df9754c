import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import { sha256 } from '#src/secrets/digest.js';
import type { AccountOfAddress, EmailLinkPurpose, OpenEmailLink } from './email-link.js';

export interface NewEmailLink {
  readonly token: string;
  readonly site_id: string;
  readonly purpose: EmailLinkPurpose;
  readonly address: string;
  readonly browser_hash: Buffer;
  /** Seconds from the request. */
  readonly lifetime: number;
  readonly requestedAt: Date;
}

/** $1 digest of the token, $2 site. */
const IS_OPEN = 'token_hash = $1 and site_id = $2 and used_at is null and expires_at > now()';
const OPEN = {
  name: 'email_link_open',
  text: `select purpose, address as email, browser_hash from email_links where ${IS_OPEN}`,
};
const ACCOUNT = {
  name: 'account_of_address',
  text: `
    select p.person_id, p.state, p.password_hash is not null as has_password, m.state as member_state
      from people p left join site_members m on m.person_id = p.person_id and m.site_id = $2
     where p.email = $1`,
};

/** The links are stored as digests. */
@Injectable()
export class EmailLinksRepository {
  constructor(private readonly sql: Sql) {}

  async open(siteId: string, token: string): Promise<OpenEmailLink | undefined> {
    const [row] = await this.sql.query<OpenEmailLink>(OPEN, [sha256(token), siteId]);
    return row;
  }

  /** The account that has the address, which any site may have created. */
  async account(siteId: string, address: string, tx?: EntityManager): Promise<AccountOfAddress | undefined> {
    const [account] = await this.sql.query<AccountOfAddress>(ACCOUNT, [address, siteId], tx);
    return account;
  }

  /** Ends older links of the same purpose for the address at the site. */
  async insert(manager: EntityManager, link: NewEmailLink): Promise<void> {
    const { token, site_id, purpose, address, browser_hash, lifetime, requestedAt } = link;
    await manager.query(
      `update email_links set used_at = now()
        where site_id = $1 and address = $2 and purpose = $3 and used_at is null`,
      [site_id, address, purpose],
    );
    await manager.query(
      `insert into email_links (token_hash, site_id, purpose, address, browser_hash, expires_at)
       values ($1, $2, $3, $4, $5, $6::timestamptz + make_interval(secs => $7))`,
      [sha256(token), site_id, purpose, address, browser_hash, requestedAt, lifetime],
    );
  }

  /** False when the link is no longer open. The caller has locked the person. */
  async use(manager: EntityManager, siteId: string, token: string, purpose: EmailLinkPurpose): Promise<boolean> {
    const used = await rows(
      manager,
      `update email_links set used_at = now() where ${IS_OPEN} and purpose = $3 returning 1 as used`,
      [sha256(token), siteId, purpose],
    );
    return used.length === 1;
  }
}
