import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement, violates } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import { Student } from './student.entity.js';
import type { NewStudent } from './student.policy.js';
import type { StudentListQuery } from './student.schema.js';

interface Site {
  readonly site_id: string;
}

const COLUMNS = `site_id, id, person_id, email, name, phone_number, avatar_url, locale, state, tags, external_id,
  enrollments_count, version, revision, created_at, updated_at`;

@Injectable()
export class StudentRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    query: StudentListQuery,
    after: Position | undefined,
  ): Promise<(Student & { total_count?: number })[]> {
    const { state, q, email } = query;
    const where = new Where(site).and('state = ?', state).and('email = ?', email);
    where.words(`(name || ' ' || email)`, q);
    where.range('created_at', query);
    const statement = listStatement({ columns: COLUMNS, table: 'students', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, id: string): Promise<Student | undefined> {
    const rows = await this.sql.query<Student>(
      { name: 'students_find', text: `select ${COLUMNS} from students where site_id = $1 and id = $2` },
      [site.site_id, id],
    );
    return rows[0];
  }

  /** The row, until the transaction ends. Whoever changes a student or their enrolments locks the student first. */
  lock(
    tx: EntityManager,
    site: Site,
    key: { id: string } | { email: string } | { person_id: string },
  ): Promise<Student | null> {
    return tx.findOne(Student, { where: { site_id: site.site_id, ...key }, lock: { mode: 'for_no_key_update' } });
  }

  /** The next ones of all sites by site and id, unchanged until the transaction ends. */
  share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<Student[]> {
    return tx.query<Student[]>(
      `select ${COLUMNS} from students where (site_id, id) > ($1, $2) order by site_id, id limit $3 for share`,
      [site_id, id, limit],
    );
  }

  /**
   * Null when the e-mail address, the external id or the person is taken at the site. Without a person, the one whom auth
   * has announced under the address is taken, unless they have become another student since.
   */
  async insert(
    tx: EntityManager,
    site: Site,
    student: NewStudent,
    person_id: string | null = null,
  ): Promise<Student | null> {
    const [row] = await tx.query<Student[]>(
      `insert into students (site_id, person_id, email, name, phone_number, avatar_url, locale, tags, external_id)
       values ($1, coalesce($2::uuid, (
         select person_id from people_roles p where p.site_id = $1 and p.email = $3
           and not exists (select 1 from students s where s.site_id = $1 and s.person_id = p.person_id) limit 1
       )), $3, $4, $5, $6, $7, $8, $9)
       on conflict do nothing
       returning ${COLUMNS}`,
      [
        site.site_id,
        person_id,
        student.email,
        student.name,
        student.phone_number,
        student.avatar_url,
        student.locale,
        student.tags,
        student.external_id,
      ],
    );
    return row ?? null;
  }

  /** IdempotentWrites the changed columns of a locked row, or says which of them another student of the site has. */
  async update(
    tx: EntityManager,
    student: Student,
    changes: Partial<Student>,
  ): Promise<Student | 'email' | 'external_id'> {
    const next = { ...changes, version: student.version + 1, revision: student.revision + 1, updated_at: new Date() };
    try {
      return await this.#write(tx, student, next);
    } catch (error) {
      if (violates(error, 'students_email')) return 'email';
      if (violates(error, 'students_external_id')) return 'external_id';
      throw error;
    }
  }

  /** Links a locked row to its person. It is no edit of the student: the revision and the time stay. */
  link(tx: EntityManager, student: Student, person_id: string): Promise<Student> {
    return this.#write(tx, student, { person_id, version: student.version + 1 });
  }

  async #write(tx: EntityManager, student: Student, next: Partial<Student>): Promise<Student> {
    await tx.update(Student, { site_id: student.site_id, id: student.id }, next);
    return Object.assign(new Student(), student, next);
  }
}
