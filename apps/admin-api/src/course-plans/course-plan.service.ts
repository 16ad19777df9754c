import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { coursePlanEvents } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import type { Course } from '#src/courses/course.entity.js';
import { CourseService } from '#src/courses/course.service.js';
import { keepOrdered } from '#src/pending-orders/ordered-item.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { SchoolService } from '#src/school/school.service.js';
import { CoursePlan } from './course-plan.entity.js';
import { COURSE_PLANS_FOR_SALE } from './course-plan.listing.js';
import { requirePlanOfCourse, requireTerms } from './course-plan.policy.js';
import { CoursePlanRepository, PLAN_IN_USE } from './course-plan.repository.js';
import type { PlanOfCourse } from './course-plan.repository.js';
import { coursePlan as resource } from './course-plan.schema.js';
import type { CoursePlanCreate, CoursePlanListQuery, CoursePlanPatch } from './course-plan.schema.js';
import { PUBLIC_PLANS } from './course-plan.view.js';

interface OfCourse {
  readonly course_id: string;
}

/** Teachers read the plans of own courses. Prices are a matter of owners and admins. */
@Injectable()
export class CoursePlanService {
  readonly #plans: SiteStore<CoursePlan, typeof coursePlanEvents>;
  readonly #forSale: SiteStore<CoursePlan, never>;

  constructor(
    stores: SiteStores,
    private readonly courses: CourseService,
    private readonly schools: SchoolService,
    private readonly repository: CoursePlanRepository,
  ) {
    this.#plans = stores.of({
      entity: CoursePlan,
      resource,
      fence: ofOwnCourses('course_id'),
      unique: { course_plans_external_id: 'external_id' },
      events: coursePlanEvents,
      data: (plan, event) => ({
        plan_id: plan.id,
        site_id: plan.site_id,
        course_id: plan.course_id,
        name: plan.name,
        plan_type: plan.plan_type,
        price: plan.price,
        interval: plan.interval,
        interval_count: plan.interval_count,
        access_days: plan.access_days,
        access_ends_at: iso(plan.access_ends_at),
        state: event === 'deleted' ? 'deleted' : plan.active ? 'active' : 'inactive',
      }),
    });
    const condition = COURSE_PLANS_FOR_SALE;
    this.#forSale = stores.of({ entity: CoursePlan, resource, fence: () => ({ condition }) });
    courses.removing.add((tx, course) => this.#remove(tx, course));
  }

  list(caller: Caller, query: CoursePlanListQuery, of: Partial<OfCourse> = {}): Promise<Page<CoursePlan>> {
    return listBelow(this.#plans.list(caller, query, { ...of }), () =>
      of.course_id !== undefined ? this.courses.get(caller, of.course_id) : undefined,
    );
  }

  /** The first plans of a public course that are for sale. */
  async forSale(site: OfSite, course_id: string): Promise<readonly CoursePlan[]> {
    const query = { sort: 'position', limit: PUBLIC_PLANS, include_total: false };
    const { rows } = await this.#forSale.list(site, query, { course_id });
    return rows;
  }

  get(caller: Caller, id: string, of: Partial<OfCourse> = {}): Promise<CoursePlan> {
    return this.#plans.get(caller, id, { ...of });
  }

  async create(
    caller: Caller,
    { course_id }: OfCourse,
    input: CoursePlanCreate,
    tx: EntityManager,
  ): Promise<Created<CoursePlan>> {
    await this.#lockCourse(tx, caller, course_id);
    requireTerms(input, await this.schools.currency(caller, tx));
    return this.#plans.insert(tx, caller, { ...input, course_id }, 'created');
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    course_id,
    ...key
  }: UpsertRequest<CoursePlanCreate, CoursePlanPatch> & OfCourse): Promise<Created<CoursePlan>> {
    await this.#lockCourse(tx, principal, course_id);
    const currency = await this.schools.currency(principal, tx);
    return this.#plans.upsert(tx, principal, key, {
      create: () => {
        requireTerms(body, currency);
        return { ...body, course_id };
      },
      decide: (plan) => {
        requirePlanOfCourse(plan, course_id);
        return this.#update(tx, plan, patch, currency);
      },
    });
  }

  async patch(
    caller: Caller,
    { course_id: named, ...key }: Key & Partial<OfCourse>,
    patch: CoursePlanPatch,
    tx: EntityManager,
  ): Promise<Written<CoursePlan>> {
    const course_id = named ?? (await this.#plans.get(caller, key.id, {}, tx)).course_id;
    await this.#lockCourse(tx, caller, course_id);
    const currency = await this.schools.currency(caller, tx);
    return this.#plans.change(tx, caller, { ...key, within: { course_id } }, (plan) =>
      this.#update(tx, plan, patch, currency),
    );
  }

  async remove(
    caller: Caller,
    { course_id: named, ...key }: Key & Partial<OfCourse>,
    tx: EntityManager,
  ): Promise<Written<CoursePlan>> {
    const course_id = named ?? (await this.#plans.get(caller, key.id, {}, tx)).course_id;
    await this.#lockCourse(tx, caller, course_id);
    await lockForDeletion(tx, 'course_plans', { site_id: caller.site_id, id: key.id });
    const error = new ApiError('resource_in_use', 'Access was given by the plan, or a pending order names it', {
      hint: 'Set active to false instead',
    });
    return this.#plans.remove(tx, caller, { ...key, within: { course_id } }, { sql: PLAN_IN_USE, error });
  }

  /** Returns the terms of plans by their ids. The caller has locked the courses, so no plan changes. */
  async terms(
    tx: EntityManager,
    { site_id }: Pick<Caller, 'site_id'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, PlanOfCourse>> {
    if (ids.length === 0) return new Map();
    const plans = await this.repository.terms(tx, site_id, ids);
    return new Map(plans.map((plan) => [plan.id, plan]));
  }

  /** Copies the plans of a locked course to a new one, as inactive plans. */
  async copy(tx: EntityManager, { site_id, id: course_id }: Course, to: Course): Promise<void> {
    const copies = await this.repository.copy(tx, { site_id, course_id }, to.id);
    for (const plan of copies) await this.#plans.publish(tx, plan, 'created');
  }

  republication(): Republication<typeof coursePlanEvents> {
    return this.#plans.republication();
  }

  /** @throws `resource_in_use` when a pending order loses what it names or buys of the plan */
  async #update(tx: EntityManager, plan: CoursePlan, patch: CoursePlanPatch, currency: string | null) {
    const decision = updated(plan, patch, currency);
    await keepOrdered(tx, 'course_plans', plan, decision?.changes ?? {});
    return decision;
  }

  /** Publishes the deletion of the plans of a locked course: the database deletes them with it. */
  async #remove(tx: EntityManager, { site_id, id: course_id }: Course): Promise<void> {
    for (const plan of await this.repository.ofCourse(tx, { site_id, course_id })) {
      await this.#plans.publish(tx, Object.assign({}, plan, { version: plan.version + 1 }), 'deleted');
    }
  }

  /** A course beyond the fence is not found, also for a caller who may change no plans. */
  async #lockCourse(tx: EntityManager, caller: Caller, course_id: string): Promise<void> {
    await this.courses.lockEditable(tx, caller, course_id);
    requireAdministrator(caller, 'change the plans of a course');
  }
}

function updated(plan: CoursePlan, patch: CoursePlanPatch, currency: string | null) {
  const changes = changedColumns(plan, patch, resource);
  if (changes === undefined) return undefined;
  requireTerms(Object.assign({}, plan, changes), changes.price === undefined ? null : currency);
  return { event: 'updated' as const, changes };
}
