import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccessTerms } from './course-plan.policy.js';

interface PlanKey {
  readonly site_id: string;
  readonly course_id: string;
  readonly id: string;
}

@Injectable()
export class CoursePlanRepository {
  async terms(tx: EntityManager, { site_id, course_id, id }: PlanKey): Promise<AccessTerms | undefined> {
    const [terms] = await tx.query<AccessTerms[]>(
      `select plan_type, interval, interval_count, access_days, access_ends_at
       from course_plans where site_id = $1 and course_id = $2 and id = $3`,
      [site_id, course_id, id],
    );
    return terms;
  }
}
