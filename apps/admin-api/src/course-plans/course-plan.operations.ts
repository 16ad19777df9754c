import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { keptWhileOrdered } from '#src/pending-orders/ordered-item.policy.js';
import { CoursePlan } from './course-plan.entity.js';
import { coursePlan } from './course-plan.schema.js';
import { CoursePlanService } from './course-plan.service.js';
import { ADDING, DELETING, UPDATING } from './course-plan.texts.js';

export const coursePlanCollection = collection({
  name: 'plans',
  scope: 'courses',
  service: CoursePlanService,
  row: CoursePlan,
  parent: { name: 'courses', one: 'course' },
  resource: coursePlan,
  etag: ({ version }) => rowTag(version),
  toolItem: [
    'id',
    'name',
    'plan_type',
    'price',
    'interval',
    'interval_count',
    'access_days',
    'access_ends_at',
    'active',
    'updated_at',
  ],
  operations: {
    list: {
      id: 'listCoursePlans',
      summary: 'List the plans of a course',
      description: 'Returns active and inactive plans. The id of a plan is what a buyer buys.',
      tool: {
        description:
          'Lists the plans in which a course is sold, inactive ones included, newest first. Use it to see prices and ' +
          'terms, and for the ids that update_course_plan takes.',
      },
      run: (plans, { principal, parent_id, query }) => plans.list(principal, query, { course_id: parent_id }),
    },
    get: {
      id: 'getCoursePlan',
      summary: 'Get a plan of a course',
      description: 'Returns the price and the terms.',
      run: (plans, { principal, parent_id, id }) => plans.get(principal, id, { course_id: parent_id }),
    },
    create: {
      id: 'createCoursePlan',
      summary: 'Create a plan of a course',
      description: ADDING,
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Adds a plan in which a course is sold, for owners and admins. Use it to set a price or another way to pay; ' +
          'update_course_plan changes it.',
      },
      run: (plans, { principal, parent_id, body, tx }) => plans.create(principal, { course_id: parent_id }, body, tx),
    },
    upsert: {
      id: 'putCoursePlan',
      summary: 'Create or update a plan of a course',
      description:
        'Creates the plan of the `external_id`, or changes the fields that the body names. A plan of another course with ' +
        `this \`external_id\` is refused. ${keptWhileOrdered('plan')}`,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (plans, { parent_id, ...request }) => plans.upsert({ ...request, course_id: parent_id }),
    },
    update: {
      id: 'updateCoursePlan',
      summary: 'Update a plan of a course',
      description: UPDATING,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes the price, the terms or the name of a plan, or takes it off the sale with active false. Use it to edit ' +
          'a plan, for owners and admins; access that was given stays.',
      },
      run: (plans, { principal, parent_id: course_id, body, tx, ...key }) =>
        plans.patch(principal, { ...key, course_id }, body, tx),
    },
    delete: {
      id: 'deleteCoursePlan',
      summary: 'Delete a plan of a course',
      description: DELETING,
      problems: ['resource_in_use', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Deletes a plan by which no access was given; any other is refused with resource_in_use. Use it for a mistake; ' +
          'update_course_plan takes a plan off the sale.',
      },
      run: (plans, { principal, parent_id: course_id, tx, ...key }) =>
        plans.remove(principal, { ...key, course_id }, tx),
    },
  },
});
