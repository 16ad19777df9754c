import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import {
  changeMember,
  inviteMember,
  reinstateMember,
  removeMember,
  setMemberRoles,
  suspendMember,
} from '@lyceum/contracts';
import type { ChangedMembership, MEMBER_REQUESTS } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { actAs } from '@lyceum/platform';
import type { z } from 'zod';
import type { MemberProfile } from '#src/members/profile.policy.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { MemberChangesService } from './member-changes.service.js';

type MemberRequest = (typeof MEMBER_REQUESTS)[number];

/** Changes memberships for admin-api. Only its NATS user may send these requests. */
@Injectable()
export class MemberChangesResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly changes: MemberChangesService,
    private readonly sites: SitesService,
  ) {}

  onModuleInit(): void {
    const { changes } = this;
    this.#handle(inviteMember, (site, { actor, ...input }) =>
      changes.invite(site, { ...input, actor, profile: profileOf(input) }),
    );
    this.#handle(changeMember, ({ site_id }, input) => changes.changeProfile(site_id, input, profileOf(input)));
    this.#handle(setMemberRoles, ({ site_id }, input) => changes.setRoles(site_id, input, () => input.roles));
    this.#handle(suspendMember, ({ site_id }, input) => changes.suspend(site_id, input));
    this.#handle(reinstateMember, ({ site_id }, input) => changes.reinstate(site_id, input));
    this.#handle(removeMember, ({ site_id }, input) => changes.remove(site_id, input));
  }

  /** Runs work with the operator as the actor of its events. */
  #handle<D extends MemberRequest>(
    definition: D,
    change: (site: SiteRecord, input: z.output<D['input']>) => Promise<ChangedMembership>,
  ): void {
    this.requests.handle<MemberRequest>(definition, async (input, { site_id }) => {
      const site = await this.sites.byId(site_id);
      if (site === undefined) throw new ApiError('not_found', 'The site does not exist');
      actAs({ site_id, ...input.actor });
      return change(site, input as z.output<D['input']>);
    });
  }
}

function profileOf({ name, picture, locale, phone }: Partial<MemberProfile>): Partial<MemberProfile> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(picture === undefined ? {} : { picture }),
    ...(locale === undefined ? {} : { locale }),
    ...(phone === undefined ? {} : { phone }),
  };
}
