import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { isPresent } from '#src/database/present-member.js';
import type { AuditEntry } from './audit-entry.js';
import { idRange } from './audit-filter.policy.js';
import type { AuditFilter } from './audit-filter.policy.js';
import type { AuditRow } from './audit-row.js';

const TEXT = `INSERT INTO audit_log (event, site_id, person_id, client_id, details) VALUES ($1, $2, $3, $4, $5)`;
const MANY = `
  INSERT INTO audit_log (event, site_id, person_id, client_id, details)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[])`;
const INSERT = { name: 'audit_insert', text: TEXT };

/** A failed sign-in names the account of a member of the site, and no other: those are not the site's concern. */
const INSERT_FAILURE = {
  name: 'audit_insert_failed_sign_in',
  text: `
    insert into audit_log (event, site_id, person_id, details)
    select 'sign_in.failed', $1::uuid,
           (select m.person_id from people p join site_members m on m.person_id = p.person_id and m.site_id = $1
             where p.email = $2 and ${isPresent('m')}), $3::jsonb`,
};

const COLUMNS = `
    select a.audit_id, a.occurred_at, a.event, a.client_id, a.details, c.name as client_name,
           case when m.person_id is null or (m.erased_at is null and a.occurred_at >= m.joined_at) then p.email end as email,
           case when m.person_id is null or (m.erased_at is null and a.occurred_at >= m.joined_at)
                then coalesce(m.name, p.name) end as person_name,
           case when o.erased_at is null then coalesce(o.name, operator.name) end as actor_name`;
const JOINS = `
      left join people p using (person_id)
      left join site_members m on m.site_id = a.site_id and m.person_id = a.person_id
      left join site_members o on o.site_id = a.site_id and o.member_id = (a.details ->> 'by')::uuid
                               and o.person_id is distinct from a.person_id
      left join people operator on operator.person_id = o.person_id
      left join lateral (
        select name from clients where client_id = a.client_id and (site_id = a.site_id or site_id is null)
         order by site_id nulls last limit 1) c on true`;

/** A column of the member with the address $5. Read once, so that the entries stay in the order of their index. */
const ofMember = (column: 'person_id' | 'joined_at'): string => `
  (select m.${column} from people p join site_members m using (person_id)
    where p.email = $5 and m.site_id = $1 and m.erased_at is null)`;

/**
 * Conditions by filter. $1 is the site, $5 the person, $6 the application and $7 the event. An address finds the
 * entries that show it: those since the member joined, and none from before an erasure.
 */
const CONDITIONS = {
  person: `and a.person_id = ${ofMember('person_id')} and a.occurred_at >= ${ofMember('joined_at')}`,
  client: `and a.client_id in (select client_id from clients where (site_id = $1 or site_id is null)
                                  and (client_id = $6 or lower(name) = lower($6)))`,
  event: 'and a.event = $7',
} as const;

/**
 * Reads entries without the address of an erased member, even if the person has joined the site again. It is always
 * bounded: PostgreSQL skips partitions beyond the bounds, reads the others newest first, and stops early.
 */
function ofSite(filter: AuditFilter): Statement {
  const names = (['person', 'client', 'event'] as const).filter((name) => filter[name] !== '');
  // Each parameter has a type, although a statement uses some of them only.
  return {
    name: ['audit_of_site', ...names].join('_'),
    text: `${COLUMNS}
      from audit_log a ${JOINS}
     where a.site_id = $1 and a.audit_id >= $2 and a.audit_id < $3 ${names.map((name) => CONDITIONS[name]).join(' ')}
       and ($5::text, $6::text, $7::text) is not null
     order by a.audit_id desc limit $4`,
  };
}

const values = (entry: AuditEntry): unknown[] => [
  entry.event,
  entry.site_id ?? null,
  entry.person_id ?? null,
  entry.client_id ?? null,
  JSON.stringify(entry.details ?? {}),
];

@Injectable()
export class AuditRepository {
  constructor(private readonly sql: Sql) {}

  async insert(entry: AuditEntry, manager?: EntityManager): Promise<void> {
    if (manager === undefined) await this.sql.query(INSERT, values(entry));
    else await manager.query(TEXT, values(entry));
  }

  async insertAll(entries: readonly AuditEntry[], manager: EntityManager): Promise<void> {
    const columns = [0, 1, 2, 3, 4];
    const all = entries.map(values);
    await manager.query(
      MANY,
      columns.map((column) => all.map((row) => row[column])),
    );
  }

  async insertFailedSignIn(siteId: string, email: string, details: object): Promise<void> {
    await this.sql.query(INSERT_FAILURE, [siteId, email, JSON.stringify(details)]);
  }

  /** Newest first, before the id `before`. */
  ofSite(siteId: string, filter: AuditFilter, before: string | undefined, limit: number): Promise<AuditRow[]> {
    const { first, last } = idRange(filter);
    const end = before === undefined || before > last ? last : before;
    const values = [siteId, first, end, limit, filter.person, filter.client, filter.event];
    return this.sql.query<AuditRow>(ofSite(filter), values);
  }
}
