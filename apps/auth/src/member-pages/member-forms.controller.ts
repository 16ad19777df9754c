import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { isUuid, orderRoles } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { ApiError, PROBLEMS } from '@lyceum/errors';
import type { ApiErrorCode } from '@lyceum/errors';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import type { NoticeKind } from '#src/notices/notices.js';
import { AdminGuard } from '#src/admin-area/admin.guard.js';
import { PEOPLE } from '#src/admin-area/admin.page.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { MemberChangesService } from '#src/member-changes/member-changes.service.js';
import type { OfMember } from '#src/member-changes/member-changes.service.js';
import { MemberDirectory } from '#src/members/member-directory.service.js';
import type { ListedMember } from '#src/members/listed-member.js';
import { FORM_BASE, formChanges, staleForm } from '#src/pages/form-base.js';
import type { Shown } from '#src/pages/page.js';
import { grantedRoles } from './invitation.form.js';
import { memberPage, ownerRolesPage, untouchable } from './member.page.js';
import { memberPath } from './member-words.js';
import { requestIn } from './request-id.js';

/** The sentences for errors that the page of the member explains. */
const EXPLAINED: Partial<Record<ApiErrorCode, (refused: Refused) => string>> = {
  forbidden: ({ context, member }) => untouchable(context, member) ?? say('member.forbidden'),
  invalid_state: () => say('member.other_state'),
  precondition_failed: () => say('form.stale'),
  rate_limited: ({ seconds }) => say('member.too_many', { seconds }),
  validation_failed: () => say('member.select_role'),
};

interface Refused {
  readonly context: AccountContext;
  readonly member: ListedMember;
  /** Until the next try. */
  readonly seconds: number;
}

interface Submitted {
  readonly context: AccountContext;
  readonly member: ListedMember;
  readonly request: OfMember;
  readonly form: URLSearchParams;
}

/** Returns the kind of the notice, or a page with a question. */
type Work = (submitted: Submitted) => Promise<NoticeKind | Exclude<Shown, string>>;

/** Changes members by the same service as the operator API. Each form changes one thing, also when it is sent twice. */
@Controller(PEOPLE)
@UseFilters(OAuthErrorFilter)
export class MemberFormsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly directory: MemberDirectory,
    private readonly changes: MemberChangesService,
    private readonly notices: Notices,
  ) {}

  @Post('roles')
  roles(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async ({ context, member, request: change, form }) => {
      const given = form.getAll('role');
      const base = single(form, FORM_BASE);
      const roles = grantedRoles(given);
      if (roles === undefined) throw new ApiError('validation_failed', 'At least one of the roles is missing');
      const isOwner = member.roles.includes('owner') && context.person.roles.includes('owner');
      if (isOwner && single(form, 'confirmed') !== 'yes') return ownerRolesPage(context, member, { given, base });
      const { membership } = await this.changes.setRoles(
        context.site.site_id,
        change,
        (current) => formChanges<{ roles: readonly Role[] }>(base, { roles }, { roles: current }).roles,
      );
      // A form that is sent again with other roles changes nothing, and neither does an unchanged one.
      if (orderRoles(roles).join() !== orderRoles(membership.roles).join()) throw staleForm();
      return 'roles_changed';
    });
  }

  @Post('resend')
  resend(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async ({ context: { site }, request: change }) => {
      await this.changes.resend(site, change);
      return 'invitation_resent';
    });
  }

  @Post('suspend')
  suspend(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async ({ context: { site }, request: change }) => {
      await this.changes.suspend(site.site_id, change);
      return 'member_suspended';
    });
  }

  @Post('reinstate')
  reinstate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async ({ context: { site }, request: change }) => {
      await this.changes.reinstate(site.site_id, change);
      return 'member_reinstated';
    });
  }

  /** Withdraws an invitation, too: both erase the membership. */
  @Post('remove')
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async ({ context: { site }, member, request: change }) => {
      await this.changes.remove(site.site_id, change);
      return member.state === 'invited' ? 'invitation_withdrawn' : 'member_removed';
    });
  }

  #submit(request: FastifyRequest, reply: FastifyReply, work: Work): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const member_id = single(form, 'member') ?? '';
      if (!isUuid(member_id)) throw new ApiError('not_found', 'This site has no such member');
      const member = await this.#member(context, member_id);
      // A removal that is sent again: the member is gone.
      if (member === undefined) return PEOPLE;
      const { person } = context;
      const change = { request_id: requestIn(form), dry_run: false, actor: { member_id: person.member_id }, member_id };
      try {
        const done = await work({ context, member, request: change, form });
        if (typeof done !== 'string') return done;
        this.notices.leave(reply, context, done, member.name);
        return (await this.#member(context, member_id)) === undefined ? PEOPLE : memberPath(member_id);
      } catch (error) {
        return refused(error, context, (await this.#member(context, member_id)) ?? member, reply);
      }
    });
  }

  /** Undefined for a removed member, and for one of another site. */
  async #member({ site }: AccountContext, id: string): Promise<ListedMember | undefined> {
    try {
      return await this.directory.find(site.site_id, id);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

function refused(error: unknown, context: AccountContext, member: ListedMember, reply: FastifyReply): Shown {
  const explain = error instanceof ApiError ? EXPLAINED[error.code] : undefined;
  if (!(error instanceof ApiError) || explain === undefined) throw error;
  const seconds = Math.ceil(error.retryAfter ?? 1);
  if (error.retryAfter !== undefined) void reply.header('retry-after', String(seconds));
  const message = explain({ context, member, seconds });
  return memberPage(context, member, { status: PROBLEMS[error.code].status, message });
}
