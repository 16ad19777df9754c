import { ERASED_NAME, isErasedEmail } from '@lyceum/contracts';
import type { Membership, Role } from '@lyceum/contracts';
import { Sql, together } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedPerson } from './erased-person.js';

/** A row with texts that name the person. */
interface Named {
  readonly texts: readonly (string | null)[];
}

/** A member before an event of identity. A new member had no roles and no texts. */
interface FormerMember extends Named {
  readonly roles: readonly Role[];
}

/** Columns that mirror the events of identity. */
const MIRRORED = ['person_id', 'email', 'name', 'phone_number', 'avatar_url', 'locale', 'state', 'roles', 'joined_at'];
const POSITION = ['source_epoch', 'source_version'];
const COLUMNS = ['site_id', 'id', ...MIRRORED, ...POSITION];

/** SQL of `total_spent`. The sum of many orders may exceed what JSON represents exactly, so the sum has a limit. */
export const TOTAL_SPENT = `(
  select coalesce(json_agg(json_build_object('amount_minor', spent.amount, 'currency', spent.currency)
    order by spent.currency), '[]')
  from (
    select o.currency, least(sum(o.total_minor - o.refunded_minor), ${Number.MAX_SAFE_INTEGER})::bigint as amount
    from students s join orders o on o.site_id = s.site_id and o.student_id = s.id
    where s.site_id = members.site_id and s.member_id = members.id and o.paid_at is not null
    group by o.currency
  ) spent)`;

/** SQL of `enrollments_count`: the students of a member have counters. */
export const ENROLLMENTS_COUNT = `(
  select coalesce(sum(s.enrollments_count), 0)::int from students s
  where s.site_id = members.site_id and s.member_id = members.id)`;

/** SQL of `last_seen_at`. Reads one entry of an index for each student, and not all progress. */
export const LAST_SEEN = `(
  select max(seen.watched_at) from students s
  cross join lateral (
    select p.watched_at from progress p where p.site_id = s.site_id and p.student_id = s.id
    order by p.watched_at desc limit 1) seen
  where s.site_id = members.site_id and s.member_id = members.id)`;

const textsOf = (row: string): string =>
  `array[${['email', 'name', 'phone_number', 'external_id'].map((column) => `${row}.${column}`).join(', ')}] as texts`;

/** Returns the replaced row by `old`: the snapshot of the statement is older than a transaction that it waits for. */
const REPLACE = `
  insert into members as m (${COLUMNS.join(', ')})
  values (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})
  on conflict (site_id, id) do update
    set ${[...MIRRORED, ...POSITION].map((column) => `${column} = excluded.${column}`).join(', ')},
        external_id = case when excluded.person_id is not null then m.external_id end,
        metadata = case when excluded.person_id is null then '{}' else m.metadata end,
        tags = case when excluded.person_id is null then '{}' else m.tags end,
        custom_fields = case when excluded.person_id is null then '{}' else m.custom_fields end,
        revision = m.revision + 1, updated_at = now()
    where (m.source_epoch, m.source_version) < (excluded.source_epoch, excluded.source_version)
  returning old.roles, ${textsOf('old')}`;

/** Ends the use of the former picture of a member. */
const END_PICTURE = `
  delete from file_uses u using members m
  where m.site_id = $1 and m.id = $2 and u.site_id = $1 and u.member_id = $2
    and coalesce(m.avatar_url, '') not like '%' || u.file_id`;

const STUDENT = `select id, ${textsOf('s')} from students s where site_id = $1 and person_id = $2`;

const EXISTS = { name: 'members_exists', text: 'select 1 from members where site_id = $1 and id = $2' };

@Injectable()
export class MemberRepository {
  constructor(private readonly sql: Sql) {}

  /** Reads nothing that grows with the orders of the member. */
  async exists({ site_id }: { readonly site_id: string }, id: string): Promise<boolean> {
    return (await this.sql.query(EXISTS, [site_id, id])).length > 0;
  }

  /** Serializes the transactions that give a member this external id. */
  async reserve(tx: EntityManager, { site_id }: Pick<Membership, 'site_id'>, external_id: string): Promise<void> {
    const key = `members ${site_id} ${external_id}`;
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  }

  /** Ids of the person at the site, and texts that name them. A single character names no person. */
  async erased(
    tx: EntityManager,
    { site_id, member_id, person_id }: Membership,
    former: FormerMember,
  ): Promise<ErasedPerson> {
    const students = await tx.query<({ id: string } & Named)[]>(STUDENT, [site_id, person_id]);
    const texts = [former, ...students].flatMap((row) => row.texts).filter((text) => text !== null && text.length > 1);
    return { site_id, ids: [member_id, ...students.map(({ id }) => id)], texts: texts as string[] };
  }

  /** Lets the sweep delete the picture of a removed member at once, unless another object uses the file. */
  async expirePicture(tx: EntityManager, { site_id, member_id }: Membership): Promise<void> {
    const ended = 'delete from file_uses where site_id = $1 and member_id = $2 returning file_id';
    const [files] = await tx.query<[{ file_id: string }[], number]>(ended, [site_id, member_id]);
    const ids = files.map(({ file_id }) => file_id);
    // The end of the last use gives a file seven days.
    const expired = 'update files set sweep_at = now() where site_id = $1 and id = any($2::uuid[]) and uses = 0';
    if (ids.length > 0) await tx.query(expired, [site_id, ids]);
  }

  /**
   * Replaces the row of a member. A removed member keeps only ids.
   *
   * @returns the member before; null if the stored row is not older, and stays
   */
  async replace(tx: EntityManager, membership: Membership): Promise<FormerMember | null> {
    const { site_id, member_id, email, picture, locale, phone, state, roles, joined_at, epoch, version } = membership;
    const erased = isErasedEmail(email);
    const [[row]] = await together([
      tx.query<({ roles: Role[] | null } & Named)[]>(REPLACE, [
        site_id,
        member_id,
        erased ? null : membership.person_id,
        erased ? null : email.toLowerCase(),
        erased ? ERASED_NAME : membership.name,
        phone,
        picture,
        locale,
        state,
        roles,
        joined_at,
        epoch,
        version,
      ]),
      // `expirePicture` ends the use of a removed member.
      erased ? undefined : tx.query(END_PICTURE, [site_id, member_id]),
    ]);
    return row === undefined ? null : { ...row, roles: row.roles ?? [] };
  }
}
