import { Action, Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { MembershipPlan } from './membership-plan.entity.js';
import { membershipPlan } from './membership-plan.schema.js';
import type { MembershipPlanCreate, MembershipPlanListQuery, MembershipPlanPatch } from './membership-plan.schema.js';
import { MembershipPlanService } from './membership-plan.service.js';

@Collection<MembershipPlan>({
  name: 'membership_plans',
  description: 'Plans that give access to courses for a period.',
  resource: membershipPlan,
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'slug', 'name', 'plan_type', 'state', 'visible', 'ends_at', 'quantity', 'sold_count', 'updated_at'],
})
@Injectable()
export class MembershipPlanOperations {
  constructor(private readonly plans: MembershipPlanService) {}

  @List('listMembershipPlans', {
    summary: 'List membership plans',
    description: 'Returns plans of every state, without their descriptions and courses. Needs the role owner or admin.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the membership plans of this site for owners and admins, drafts, hidden and archived ones included, ' +
        'newest first. Use it to manage plans; browse_plans shows the plans that visitors see.',
    },
  })
  list({ principal, query }: ListRequest<MembershipPlanListQuery>): Promise<Page<MembershipPlan>> {
    return this.plans.list(principal, query);
  }

  @Get('getMembershipPlan', {
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
  })
  get({ principal, id }: ObjectRequest): Promise<MembershipPlan> {
    return this.plans.get(principal, id);
  }

  @Create('createMembershipPlan', {
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
  })
  create({ principal, body, tx }: CreateRequest<MembershipPlanCreate>): Promise<Created<MembershipPlan>> {
    return this.plans.create(principal, body, tx);
  }

  @Upsert('putMembershipPlan', {
    summary: 'Create or update a membership plan',
    description:
      'Creates the plan of the `external_id` as a draft, or changes the fields that the body names. A price without ' +
      '`id` is the one with the same terms, so a repeated request changes nothing.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
  })
  put(request: UpsertRequest<MembershipPlanCreate, MembershipPlanPatch>): Promise<Created<MembershipPlan>> {
    return this.plans.upsert(request);
  }

  @Update('updateMembershipPlan', {
    summary: 'Update a membership plan',
    description:
      'JSON Merge Patch (RFC 7396): absent fields stay, null clears. `prices` replaces the list: a price keeps its `id` ' +
      'while its amount changes, and one without `id` is new, unless the plan has a price with the same terms. A price ' +
      'that the list leaves out is deleted from a draft; any other plan keeps it with `active: false`. `plan_type` stays ' +
      'after the first sale. An archived plan cannot change.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Changes the given members of a membership plan: absent ones stay, null clears, and prices replace the list. Use ' +
        'it to edit a plan that is not archived, for owners and admins; name the ids of prices that stay.',
    },
  })
  update({ principal, body, tx, ...key }: ChangeRequest<MembershipPlanPatch>): Promise<Written<MembershipPlan>> {
    return this.plans.patch(principal, key, body, tx);
  }

  @Action('activateMembershipPlan', 'activate', {
    summary: 'Activate a membership plan',
    description: 'From draft. The plan needs an active price. Needs the role owner or admin.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Puts a draft membership plan with a price on sale, for owners and admins. Use it when a plan is ready; ' +
        'update_membership_plan with visible false hides it from the catalog.',
    },
  })
  activate({ principal, tx, ...key }: ChangeRequest): Promise<Written<MembershipPlan>> {
    return this.plans.move(principal, key, 'activate', tx);
  }

  @Action('archiveMembershipPlan', 'archive', {
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
  })
  archive({ principal, tx, ...key }: ChangeRequest): Promise<Written<MembershipPlan>> {
    return this.plans.move(principal, key, 'archive', tx);
  }

  @Delete('deleteMembershipPlan', {
    summary: 'Delete a membership plan',
    description: 'For good, and only a draft, which was never sold. Needs the role owner or admin.',
    problems: ['resource_in_use', 'forbidden'],
    tool: {
      description:
        'Deletes a draft membership plan; any other is refused with resource_in_use. Use it for a mistake; ' +
        'archive_membership_plan is for a plan that is over.',
    },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<MembershipPlan>> {
    return this.plans.remove(principal, key, tx);
  }
}
