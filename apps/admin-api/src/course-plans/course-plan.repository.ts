import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { pendingLines } from '#src/pending-orders/pending-lines.js';
import { TIME_ZONE } from '#src/school/school.statements.js';
import type { CoursePlan } from './course-plan.entity.js';
import type { AccessTerms } from './course-plan.policy.js';

/** The terms of a plan, with its ids. */
export interface PlanOfCourse extends AccessTerms {
  readonly id: string;
  readonly course_id: string;
  /** False: not for sale. */
  readonly active: boolean;
}

interface CourseKey {
  readonly site_id: string;
  readonly course_id: string;
}

/** Condition on the plan `$2` of the site `$1`: access was given by it, or a pending order names it. */
export const PLAN_IN_USE = `exists (select 1 from access_grants where site_id = $1 and plan_id = $2) or ${pendingLines('= $2')}`;

const PRICE = `case when price_currency is not null then
  json_build_object('amount_minor', price_amount_minor, 'currency', price_currency) end`;

/** Prepared: a sale reads the terms more than once. */
const TERMS = {
  name: 'course_plans_terms',
  text: `select id, course_id, active, plan_type, interval, interval_count, access_days, access_ends_at,
      ${TIME_ZONE} as time_zone
    from course_plans where site_id = $1 and id = any($2::uuid[])`,
};

@Injectable()
export class CoursePlanRepository {
  terms(tx: EntityManager, site_id: string, ids: readonly string[]): Promise<PlanOfCourse[]> {
    return preparedQuery(tx, TERMS, [site_id, ids]);
  }

  /** The plans of a locked course, locked for their deletion. */
  ofCourse(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<CoursePlan[]> {
    return tx.query<CoursePlan[]>(
      `select *, ${PRICE} as price from course_plans where site_id = $1 and course_id = $2 order by id for update`,
      [site_id, course_id],
    );
  }

  /** Copies the plans of a course to another one. Copies are not for sale and have no external id. */
  copy(tx: EntityManager, course: CourseKey, to: string): Promise<CoursePlan[]> {
    return tx.query<CoursePlan[]>(
      `insert into course_plans (site_id, course_id, name, plan_type, price_amount_minor, price_currency, interval,
         interval_count, access_days, access_ends_at, position, active, metadata)
       select site_id, $3, name, plan_type, price_amount_minor, price_currency, interval,
         interval_count, access_days, access_ends_at, position, false, metadata
       from course_plans where site_id = $1 and course_id = $2 order by created_at, id
       returning *, ${PRICE} as price`,
      [course.site_id, course.course_id, to],
    );
  }
}
