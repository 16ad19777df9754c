import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StudentState } from '#src/students/student.policy.js';

/** Values by which a row of a file names an enrollment. */
export interface Named {
  readonly student_email?: string | undefined;
  readonly course_slug?: string | undefined;
  readonly external_id?: string | null | undefined;
}

/** The objects of the site that a row names. Null: it names none, or the site has no such object. */
export interface NamedIds {
  readonly student_id: string | null;
  readonly student_state: StudentState | null;
  readonly course_id: string | null;
  /** The student and the course of the enrollment with the external id. */
  readonly keyed_student_id: string | null;
  readonly keyed_student_state: StudentState | null;
  readonly keyed_course_id: string | null;
}

const NAMED = {
  name: 'enrollments_named',
  text: `select s.id as student_id, s.state as student_state, c.id as course_id, k.student_id as keyed_student_id,
      o.state as keyed_student_state, k.course_id as keyed_course_id
    from unnest($2::text[], $3::text[], $4::text[]) with ordinality as named (email, slug, external_id, n)
    left join students s on s.site_id = $1 and s.email = named.email
    left join courses c on c.site_id = $1 and c.slug = named.slug
    left join enrollments k on k.site_id = $1 and k.external_id = named.external_id
    left join students o on o.site_id = $1 and o.id = k.student_id
    order by named.n`,
};

/** Finds what rows of a file name, without the fence of teachers: imports are for owners and admins. */
@Injectable()
export class EnrollmentRowsRepository {
  named(
    tx: EntityManager,
    { site_id }: { readonly site_id: string },
    rows: readonly Named[],
  ): Promise<readonly NamedIds[]> {
    const of = (member: keyof Named): (string | null)[] => rows.map((row) => row[member] ?? null);
    return preparedQuery<NamedIds>(tx, NAMED, [site_id, of('student_email'), of('course_slug'), of('external_id')]);
  }
}
