import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Progress } from './progress.entity.js';

/** SQL of what is read with each row, by property. */
export const PERSON =
  '(select s.person_id from students s where s.site_id = progress.site_id and s.id = progress.student_id)';

@Injectable()
export class ProgressRepository {
  /** Gives all progress of a student a higher version, so that it can be published again. It is no edit. */
  touchAll(tx: EntityManager, { site_id }: { readonly site_id: string }, student_id: string): Promise<Progress[]> {
    return tx.query<Progress[]>(
      `with progress as (
         update progress p set version = p.version + 1 where p.site_id = $1 and p.student_id = $2 returning p.*
       )
       select *, ${PERSON} as person_id from progress order by created_at, id`,
      [site_id, student_id],
    );
  }
}
