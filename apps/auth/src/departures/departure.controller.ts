import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { ACCOUNT, LEAVING } from '#src/protocol/paths.js';
import { PasswordProof } from '#src/sign-ins/password-proof.js';
import { departurePage, ownerStaysPage } from './departure.page.js';
import { mayLeave } from './departure.policy.js';
import { DeparturesService } from './departures.service.js';

/** Leaves the site for good. The person must know the password. */
@Controller(LEAVING)
@UseFilters(OAuthErrorFilter)
export class DepartureController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly proof: PasswordProof,
    private readonly departures: DeparturesService,
    private readonly notices: Notices,
  ) {}

  @Get()
  ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, (context) =>
      mayLeave(context.person) ? departurePage(context) : ownerStaysPage(context),
    );
  }

  @Post()
  leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submitOnce(request, reply, async (context, form) => {
      const { site, person } = context;
      if (!mayLeave(person)) return ownerStaysPage(context);
      const error = await this.proof.error({ request, site }, person, single(form, 'current') ?? '');
      if (error !== undefined) return departurePage(context, error);
      if (!(await this.departures.leave(site, person))) return ownerStaysPage(context);
      this.notices.leave(reply, { site, person: undefined }, 'left', site.name);
      return `${ACCOUNT}/sign-in`;
    });
  }
}
