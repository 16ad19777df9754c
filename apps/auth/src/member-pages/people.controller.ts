import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ROLES, isUuid } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { AdminGuard } from '#src/admin-area/admin.guard.js';
import { INVITE, PEOPLE } from '#src/admin-area/admin.page.js';
import { queryChoice, queryCursor, queryText } from '#src/admin-area/list-query.js';
import type { ListQuery } from '#src/admin-area/list-query.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { MemberChangesService } from '#src/member-changes/member-changes.service.js';
import { MemberDirectory } from '#src/members/member-directory.service.js';
import type { ListedMember } from '#src/members/listed-member.js';
import { grantedRoles, invitationFaults, invitationFields, invitationPage } from './invitation.form.js';
import type { InvitationFields } from './invitation.form.js';
import { MEMBER_ENDINGS, memberEndingPage, memberPage } from './member.page.js';
import { LISTED_STATES, memberPath } from './member-words.js';
import { peoplePage } from './people.page.js';
import { requestIn } from './request-id.js';

/** The members of a site: list, invitation, and the page of each. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class PeopleController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly directory: MemberDirectory,
    private readonly changes: MemberChangesService,
    private readonly notices: Notices,
  ) {}

  @Get(PEOPLE)
  list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filter = {
      text: queryText(query, 'q').toLowerCase(),
      role: queryChoice(query, 'role', ROLES),
      state: queryChoice(query, 'state', LISTED_STATES),
    };
    const after = queryCursor(query, 'after');
    return this.guard.show(request, reply, async (context) =>
      peoplePage(context, filter, await this.directory.page(context.site.site_id, filter, after)),
    );
  }

  @Get(INVITE)
  form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, (context) => invitationPage(context));
  }

  @Post(PEOPLE)
  invite(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const given = invitationFields(form);
      const faults = invitationFaults(given);
      if (Object.keys(faults).length > 0) return invitationPage(context, { given, faults });
      try {
        const member_id = await this.#invite(context, requestIn(form), given);
        this.notices.leave(reply, context, 'member_invited', given.name === '' ? given.email : given.name);
        return memberPath(member_id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
        const faults = { email: [say('invitation.taken')] };
        return invitationPage(context, { given, faults, taken: error.errors[0]?.id });
      }
    });
  }

  @Get(`${PEOPLE}/:member_id`)
  show(@Param('member_id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => memberPage(context, await this.#member(context, id)));
  }

  /** Asks before a change that ends access. */
  @Get(`${PEOPLE}/:member_id/:ending`)
  confirm(
    @Param('member_id') id: string,
    @Param('ending') ending: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const member = await this.#member(context, id);
      const known = MEMBER_ENDINGS.find((one) => one === ending);
      if (known === undefined) throw new ApiError('not_found', 'The page does not exist');
      return memberEndingPage(context, member, known);
    });
  }

  async #invite(
    { site, person }: AccountContext,
    request_id: string,
    { email, name, roles }: InvitationFields,
  ): Promise<string> {
    const { membership } = await this.changes.invite(site, {
      request_id,
      dry_run: false,
      actor: { member_id: person.member_id },
      email,
      roles: grantedRoles(roles) ?? [],
      profile: name === '' ? {} : { name },
    });
    return membership.member_id;
  }

  async #member({ site }: AccountContext, id: string): Promise<ListedMember> {
    if (!isUuid(id)) throw new ApiError('not_found', 'The page does not exist');
    return this.directory.find(site.site_id, id);
  }
}
