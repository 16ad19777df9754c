import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Student } from './student.entity.js';

/** The columns of a new student. */
type NewStudent = Pick<Student, 'email' | 'name' | 'phone_number' | 'avatar_url' | 'locale' | 'tags' | 'external_id'>;

@Injectable()
export class StudentRepository {
  /**
   * Undefined when the e-mail address, the external id or the person is taken at the site. Without a person, the student
   * becomes the one whom auth has announced under the address, unless that person is another student already.
   */
  async insert(
    tx: EntityManager,
    { site_id }: { readonly site_id: string },
    student: NewStudent,
    person_id: string | null = null,
  ): Promise<Student | undefined> {
    const { email, name, phone_number, avatar_url, locale, tags, external_id } = student;
    const [row] = await tx.query<Student[]>(
      `insert into students (site_id, person_id, email, name, phone_number, avatar_url, locale, tags, external_id)
       values ($1, coalesce($2::uuid, (
         select person_id from people_roles p where p.site_id = $1 and p.email = $3
           and not exists (select 1 from students s where s.site_id = $1 and s.person_id = p.person_id) limit 1
       )), $3, $4, $5, $6, $7, $8, $9)
       on conflict do nothing
       returning *`,
      [site_id, person_id, email, name, phone_number, avatar_url, locale, tags, external_id],
    );
    return row;
  }
}
