import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Student } from './student.entity.js';

/** The columns of a new student. */
type NewStudent = Pick<Student, 'email' | 'name' | 'phone_number' | 'avatar_url' | 'locale' | 'tags' | 'external_id'>;

/** The person of a student, and the membership of the site by which responses name the person. */
type PersonLink = Pick<Student, 'person_id' | 'member_id'>;

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
    link: PersonLink | null = null,
  ): Promise<Student | undefined> {
    const { email, name, phone_number, avatar_url, locale, tags, external_id } = student;
    const [row] = await tx.query<Student[]>(
      `with link as (
         select $2::uuid as person_id, $10::uuid as member_id where $2::uuid is not null
         union all
         select person_id, member_id from people_roles p where $2::uuid is null and p.site_id = $1 and p.email = $3
           and not exists (select 1 from students s where s.site_id = $1 and s.person_id = p.person_id) limit 1
       )
       insert into students (site_id, person_id, member_id, email, name, phone_number, avatar_url, locale, tags, external_id)
       select $1, l.person_id, l.member_id, $3, $4, $5, $6, $7, $8::text[], $9
       from (select) as one left join link l on true
       on conflict do nothing
       returning *`,
      [
        site_id,
        link?.person_id ?? null,
        email,
        name,
        phone_number,
        avatar_url,
        locale,
        tags,
        external_id,
        link?.member_id ?? null,
      ],
    );
    return row;
  }
}
