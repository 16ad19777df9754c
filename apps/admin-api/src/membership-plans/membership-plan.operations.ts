import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { MembershipPlan } from './membership-plan.entity.js';
import { membershipPlan } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';

export const membershipPlanCollection = collection({
  name: 'membership_plans',
  description: 'Plans that give access to courses for a period.',
  scope: 'membership_plans',
  service: MembershipPlanService,
  row: MembershipPlan,
  resource: membershipPlan,
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'slug', 'name', 'plan_type', 'state', 'visible', 'ends_at', 'quantity', 'sold_count', 'updated_at'],
  operations: {
    list: {
      id: 'listMembershipPlans',
      summary: 'List membership plans',
      description:
        'Returns plans of every state, without their descriptions and courses. Needs the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the membership plans of this site for owners and admins, drafts, hidden and archived ones included, ' +
          'newest first. Use it to manage plans; browse_plans shows the plans that visitors see.',
      },
      run: (plans, { principal, query }) => plans.list(principal, query),
    },
    get: {
      id: 'getMembershipPlan',
      summary: 'Get a membership plan',
      description:
        'Returns the plan with its description and the ids of its courses. The id of a price is what a buyer buys. Needs ' +
        'the role owner or admin.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one membership plan in any state, with its prices, courses and how many were sold. Use it when you know ' +
          'the id from list_membership_plans; browse_item shows what visitors see.',
      },
      run: (plans, { principal, id }) => plans.get(principal, id),
    },
    create: {
      id: 'createMembershipPlan',
      summary: 'Create a membership plan',
      description:
        'The new plan is a draft: it is sold after its activation. It has the terms that its `plan_type` needs, and no ' +
        'others. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a membership plan as a draft, for owners and admins. Use it to offer access to several courses; ' +
          'activate_membership_plan puts it on sale.',
      },
      run: (plans, { principal, body, tx }) => plans.create(principal, body, tx),
    },
    upsert: {
      id: 'putMembershipPlan',
      summary: 'Create or update a membership plan',
      description:
        'Creates the plan of the `external_id` as a draft, or changes the fields that the body names. A price without ' +
        '`id` is the one with the same terms, so a repeated request changes nothing. A price that a pending order names ' +
        'keeps its terms, and is not deleted; its plan gives no less.',
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      run: (plans, request) => plans.upsert(request),
    },
    update: {
      id: 'updateMembershipPlan',
      summary: 'Update a membership plan',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. `prices` replaces the list: a price keeps its `id` ' +
        'while its amount changes, and one without `id` is new, unless the plan has a price with the same terms. A price ' +
        'that the list leaves out is deleted from a draft; any other plan keeps it with `active: false`. A price that a ' +
        'pending order names keeps its terms, and is not deleted; its plan gives no less. `plan_type` stays after the ' +
        'first sale. An archived plan cannot change.',
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes the given members of a membership plan: absent ones stay, null clears, and prices replace the list. Use ' +
          'it to edit a plan that is not archived, for owners and admins; name the ids of prices that stay.',
      },
      run: (plans, { principal, body, tx, ...key }) => plans.patch(principal, key, body, tx),
    },
    actions: {
      activate: {
        id: 'activateMembershipPlan',
        summary: 'Activate a membership plan',
        description: 'From draft. The plan needs an active price. Needs the role owner or admin.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Puts a draft membership plan with a price on sale, for owners and admins. Use it when a plan is ready; ' +
            'update_membership_plan with visible false hides it from the catalog.',
        },
        run: (plans, { principal, tx, ...key }) => plans.move(principal, key, 'activate', tx),
      },
      archive: {
        id: 'archiveMembershipPlan',
        summary: 'Archive a membership plan',
        description:
          'From active, and for good: the plan can be read, but not sold or changed. Sold memberships stay. Needs the role ' +
          'owner or admin.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Ends the sale of an active membership plan for good; sold memberships stay. Use it for a plan that is over, ' +
            'for owners and admins; it cannot be undone.',
        },
        run: (plans, { principal, tx, ...key }) => plans.move(principal, key, 'archive', tx),
      },
    },
    delete: {
      id: 'deleteMembershipPlan',
      summary: 'Delete a membership plan',
      description:
        'For good, and only a draft, which was never sold, without a pending order. Needs the role owner or admin.',
      problems: ['resource_in_use', 'forbidden'],
      tool: {
        description:
          'Deletes a draft membership plan; any other is refused with resource_in_use. Use it for a mistake; ' +
          'archive_membership_plan is for a plan that is over.',
      },
      run: (plans, { principal, tx, ...key }) => plans.remove(principal, key, tx),
    },
  },
});
