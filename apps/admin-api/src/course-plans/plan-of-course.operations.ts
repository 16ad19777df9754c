import { collection } from '@lyceum/collections';
import { copyOf, rowTag } from '@lyceum/rest';
import { CoursePlan } from './course-plan.entity.js';
import { coursePlan, planOfCourse } from './course-plan.schema.js';
import { CoursePlanService } from './course-plan.service.js';
import { ADDING, DELETING, UPDATING } from './course-plan.texts.js';

/** The plans of all courses, by their ids alone. */
export const planOfCourseCollection = collection({
  name: 'course_plans',
  scope: 'courses',
  service: CoursePlanService,
  row: CoursePlan,
  // A creation names the course, which is in the path of the same operation below a course.
  resource: copyOf(coursePlan, { create: planOfCourse }),
  etag: ({ version }) => rowTag(version),
  operations: {
    list: {
      id: 'listPlansOfCourses',
      summary: 'List the plans of all courses',
      description: 'Returns active and inactive plans. `course_id` keeps those of one course.',
      run: (plans, { principal, query }) => plans.list(principal, query),
    },
    get: {
      id: 'getPlanOfCourse',
      summary: 'Get a plan by its id',
      description: 'Returns the price and the terms.',
      run: (plans, { principal, id }) => plans.get(principal, id),
    },
    create: {
      id: 'createPlanOfCourse',
      summary: 'Create a plan of the course that the body names',
      description: ADDING,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'not_found'],
      run: (plans, { principal, body: { course_id, ...body }, tx }) => plans.create(principal, { course_id }, body, tx),
    },
    update: {
      id: 'updatePlanOfCourse',
      summary: 'Update a plan by its id',
      description: UPDATING,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (plans, { principal, body, tx, ...key }) => plans.patch(principal, key, body, tx),
    },
    delete: {
      id: 'deletePlanOfCourse',
      summary: 'Delete a plan by its id',
      description: DELETING,
      problems: ['resource_in_use', 'forbidden', 'invalid_state'],
      run: (plans, { principal, tx, ...key }) => plans.remove(principal, key, tx),
    },
  },
});
