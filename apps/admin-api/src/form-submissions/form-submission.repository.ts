import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { FormSubmission } from './form-submission.entity.js';

/** SQL of the computed properties of a submission. */
export const SUBMISSION_PARTS = {
  member_id: `(select s.member_id from students s
    where s.site_id = form_submissions.site_id and s.id = form_submissions.student_id)`,
  form_slug: `(select f.slug from forms f
    where f.site_id = form_submissions.site_id and f.id = form_submissions.form_id)`,
};

const PARTS = Object.entries(SUBMISSION_PARTS)
  .map(([property, sql]) => `${sql} as ${property}`)
  .join(', ');

@Injectable()
export class FormSubmissionRepository {
  /** Moves `updated_at` of all submissions of a student, because they show the member. Events name no person. */
  async touchAll(tx: EntityManager, { site_id, id }: { readonly site_id: string; readonly id: string }): Promise<void> {
    const text = 'update form_submissions set updated_at = now() where site_id = $1 and student_id = $2';
    await tx.query(text, [site_id, id]);
  }

  /** Erases the answers of a student. Returns their submissions. */
  eraseAll(tx: EntityManager, { site_id, id }: { readonly site_id: string; readonly id: string }) {
    return tx.query<FormSubmission[]>(
      `with form_submissions as (
         update form_submissions set answers = '{}', version = version + 1, updated_at = now()
         where site_id = $1 and student_id = $2 returning *
       )
       select *, ${PARTS} from form_submissions order by id`,
      [site_id, id],
    );
  }
}
