import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Student } from './student.entity.js';

/** The person of a student, and the membership of the site by which responses name the person. */
type PersonLink = Pick<Student, 'person_id' | 'member_id'>;

/** The lock keeps a role that changes meanwhile from giving the person another student: see `RoleConsumer`. */
const PERSON_OF = {
  name: 'students_person_of',
  text: `select person_id, member_id from people_roles p where site_id = $1 and email = $2
    and not exists (select 1 from students s where s.site_id = $1 and s.person_id = p.person_id) limit 1 for share of p`,
};

@Injectable()
export class StudentRepository {
  /** The person whom auth has announced under the address, unless that person is a student already. */
  async personOf(
    tx: EntityManager,
    { site_id }: { readonly site_id: string },
    email: string,
  ): Promise<PersonLink | undefined> {
    const [link] = await preparedQuery<PersonLink>(tx, PERSON_OF, [site_id, email]);
    return link;
  }
}
