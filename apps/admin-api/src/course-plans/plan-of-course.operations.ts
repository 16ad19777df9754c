import { Collection, Create, Delete, Get, List, Update } from '@lyceum/collections';
import type { ChangeRequest, CreateRequest, Created, ListRequest, ObjectRequest, Written } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { CoursePlan } from './course-plan.entity.js';
import { coursePlan, planOfCourse } from './course-plan.schema.js';
import type { CoursePlanListQuery, CoursePlanPatch, PlanOfCourseCreate } from './course-plan.schema.js';
import { CoursePlanService } from './course-plan.service.js';

/** The plans of all courses, by their ids alone. */
@Collection<CoursePlan>({
  name: 'course_plans',
  scope: 'courses',
  // A creation names the course, which is in the path of the same operation below a course.
  resource: { ...coursePlan, create: planOfCourse },
  etag: ({ version }) => rowTag(version),
})
@Injectable()
export class PlanOfCourseOperations {
  constructor(private readonly plans: CoursePlanService) {}

  @List('listPlansOfCourses', {
    summary: 'List the plans of all courses',
    description: 'Returns active and inactive plans. `course_id` keeps those of one course.',
  })
  list({ principal, query }: ListRequest<CoursePlanListQuery>): Promise<Page<CoursePlan>> {
    return this.plans.list(principal, query);
  }

  @Get('getPlanOfCourse', { summary: 'Get a plan by its id', description: 'Returns the price and the terms.' })
  get({ principal, id }: ObjectRequest): Promise<CoursePlan> {
    return this.plans.get(principal, id);
  }

  @Create('createPlanOfCourse', {
    summary: 'Create a plan of the course that the body names',
    description:
      'The plan has the terms that its `plan_type` needs, and no others. Needs the role owner or admin. The course must ' +
      'not be archived.',
    problems: ['already_exists', 'forbidden', 'invalid_state', 'not_found'],
  })
  create({
    principal,
    body: { course_id, ...body },
    tx,
  }: CreateRequest<PlanOfCourseCreate>): Promise<Created<CoursePlan>> {
    return this.plans.create(principal, { course_id }, body, tx);
  }

  @Update('updatePlanOfCourse', {
    summary: 'Update a plan by its id',
    description:
      'JSON Merge Patch (RFC 7396): absent members stay, null clears. `active: false` takes the plan off the sale. ' +
      '`plan_type` stays: make another plan in its place.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
  })
  update({ principal, body, tx, ...key }: ChangeRequest<CoursePlanPatch>): Promise<Written<CoursePlan>> {
    return this.plans.patch(principal, key, body, tx);
  }

  @Delete('deletePlanOfCourse', {
    summary: 'Delete a plan by its id',
    description:
      'Only while no access was given by it and no pending order names it. Set `active` to false to take it off the ' +
      'sale.',
    problems: ['resource_in_use', 'forbidden', 'invalid_state'],
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<CoursePlan>> {
    return this.plans.remove(principal, key, tx);
  }
}
