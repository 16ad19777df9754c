import type { OfSite } from '@lyceum/contracts';
import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Student } from './student.entity.js';
import type { StudentValues } from './student-import.policy.js';
import type { PublishedStudent } from './student.store.js';

/** The person of a student, and the membership of the site by which responses name the person. */
type PersonLink = Pick<Student, 'person_id' | 'member_id'>;

/** SQL that locks the person, so that a concurrent change of roles adds no second student: see `MembershipService`. */
const PERSON_OF = {
  name: 'students_person_of',
  text: `select person_id, id as member_id from members p where site_id = $1 and email = $2
    and not exists (select 1 from students s where s.site_id = $1 and s.person_id = p.person_id) limit 1 for share of p`,
};

const PEOPLE_OF = {
  name: 'students_people_of',
  text: PERSON_OF.text
    .replace('select ', 'select email, ')
    .replace('email = $2', 'email = any($2::text[])')
    .replace('limit 1', 'order by id'),
};

/** Locks students in the order of their ids, so that two requests with the same students do not deadlock. */
const LOCK_ALL = {
  name: 'students_lock_all',
  text: `select id, state from students where site_id = $1 and id = any($2::uuid[]) order by id for no key update`,
};

const LOCK_BY_EMAIL = {
  name: 'students_lock_by_email',
  text: `select id, email from students where site_id = $1 and email = any($2::text[]) order by id for no key update`,
};

/** Columns of written students: to read all of them takes longer than to insert some. */
const PUBLISHED = 'site_id, id, version, person_id, email, name, locale, state';

/** Inserts students, each with the person that auth published under the address, as `PERSON_OF` does for one. */
const INSERT_ALL = {
  name: 'students_insert_all',
  text: `insert into students (site_id, email, name, phone_number, avatar_url, locale, tags, external_id, metadata,
      person_id, member_id)
    select $1, s.email, s.name, s.phone_number, s.avatar_url, s.locale, coalesce(s.tags, '{}'), s.external_id,
      coalesce(s.metadata, '{}'), p.person_id, p.member_id
    from jsonb_to_recordset($2::jsonb) as s (email text, name text, phone_number text, avatar_url text, locale text,
      tags text[], external_id text, metadata jsonb)
    left join lateral (
      select person_id, id as member_id from members m where m.site_id = $1 and m.email = s.email
        and not exists (select 1 from students o where o.site_id = $1 and o.person_id = m.person_id) limit 1 for share of m
    ) p on true
    order by s.email
    on conflict do nothing
    returning ${PUBLISHED}`,
};

/** The link to a person ends with another address: see `editOf`. */
const UPDATE_ALL = {
  name: 'students_update_all',
  text: `update students s set email = g.email, name = g.name, phone_number = g.phone_number,
      avatar_url = g.avatar_url, locale = g.locale, tags = g.tags, external_id = g.external_id, metadata = g.metadata,
      person_id = case when g.email = s.email then s.person_id end,
      member_id = case when g.email = s.email then s.member_id end,
      version = s.version + 1, revision = s.revision + 1, updated_at = now()
    from jsonb_to_recordset($2::jsonb) as g (id uuid, email text, name text, phone_number text, avatar_url text,
      locale text, tags text[], external_id text, metadata jsonb)
    where s.site_id = $1 and s.id = g.id
    returning ${PUBLISHED.replaceAll(/\w+/g, 's.$&')}`,
};

/** Tables in which operators keep `metadata` about a student. Purchases before bookings, as bookings lock them. */
export const NOTED_TABLES = [
  'enrollments',
  'consulting_purchases',
  'consulting_bookings',
  'digital_product_grants',
  'event_registrations',
] as const;

/** Tables whose rows are history of a student. Progress and reviews belong to an enrollment. */
const HISTORY = [
  'orders',
  'coupon_redemptions',
  'subscriptions',
  ...NOTED_TABLES,
  'comments',
  'form_submissions',
] as const;

/** Condition on the student `$2` of the site `$1`: their history would end with them. */
export const STUDENT_IN_USE = HISTORY.map(
  (table) => `exists (select 1 from ${table} where site_id = $1 and student_id = $2)`,
).join(' or ');

const KNOWN = `select * from students where site_id = $1 and id in (
    select id from students where site_id = $1 and email = any($2::text[])
    union all select id from students where site_id = $1 and external_id = any($3::text[]))
  order by id`;
const FIND_KNOWN = { name: 'students_find_known', text: KNOWN };
const LOCK_KNOWN = { name: 'students_lock_known', text: `${KNOWN} for no key update` };

/** Unique values by which students are found. */
export interface StudentNames {
  readonly emails: readonly string[];
  readonly external_ids: readonly string[];
}

@Injectable()
export class StudentRepository {
  constructor(private readonly sql: Sql) {}

  /** Locks students of the site. Leaves out ids of other students. */
  lockAll(tx: EntityManager, { site_id }: OfSite, ids: readonly string[]): Promise<Pick<Student, 'id' | 'state'>[]> {
    return preparedQuery(tx, LOCK_ALL, [site_id, ids]);
  }

  lockByEmail(
    tx: EntityManager,
    { site_id }: OfSite,
    emails: readonly string[],
  ): Promise<Pick<Student, 'id' | 'email'>[]> {
    return preparedQuery(tx, LOCK_BY_EMAIL, [site_id, emails]);
  }

  /** Adds students. Leaves out those whose address or external id another request has added meanwhile. */
  insertAll(tx: EntityManager, { site_id }: OfSite, students: readonly StudentValues[]): Promise<PublishedStudent[]> {
    return preparedQuery(tx, INSERT_ALL, [site_id, JSON.stringify(students)]);
  }

  /** Writes all values of locked students. */
  updateAll(
    tx: EntityManager,
    { site_id }: OfSite,
    students: readonly (Required<StudentValues> & Pick<Student, 'id'>)[],
  ): Promise<PublishedStudent[]> {
    return preparedQuery(tx, UPDATE_ALL, [site_id, JSON.stringify(students)]);
  }

  /** Erases what operators noted about a locked student. Events do not contain it. */
  async eraseNotes(tx: EntityManager, { site_id, id }: OfSite & Pick<Student, 'id'>): Promise<void> {
    for (const table of NOTED_TABLES) {
      // The entity tags of the other tables come from the version.
      const edit = table === 'enrollments' ? 'revision = t.revision + 1, ' : '';
      // A registration shows the member, whose link ends.
      const shown = table === 'event_registrations' ? '' : ` and metadata <> '{}'`;
      await tx.query(
        `with noted as (
           select id from ${table} where site_id = $1 and student_id = $2${shown}
           order by id for no key update
         )
         update ${table} t set metadata = '{}', ${edit}version = t.version + 1, updated_at = now()
         from noted where t.site_id = $1 and t.id = noted.id`,
        [site_id, id],
      );
    }
  }

  /** The students who have one of the values, locked in a transaction. */
  known({ site_id }: OfSite, { emails, external_ids }: StudentNames, tx?: EntityManager): Promise<Student[]> {
    const values = [site_id, emails, external_ids];
    return tx === undefined ? this.sql.query(FIND_KNOWN, values) : preparedQuery(tx, LOCK_KNOWN, values);
  }

  /** The persons of addresses, as `personOf` finds one. */
  async peopleOf(
    tx: EntityManager,
    { site_id }: OfSite,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, PersonLink>> {
    const found = await preparedQuery<PersonLink & Pick<Student, 'email'>>(tx, PEOPLE_OF, [site_id, emails]);
    return new Map(found.map(({ email, ...link }) => [email, link]));
  }

  /** The person whom auth has announced under the address, unless that person is a student already. */
  async personOf(tx: EntityManager, { site_id }: OfSite, email: string): Promise<PersonLink | undefined> {
    const [link] = await preparedQuery<PersonLink>(tx, PERSON_OF, [site_id, email]);
    return link;
  }
}
