import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountSessionGuard } from '#src/accounts/account-session.guard.js';
import { staleFormPage } from '#src/accounts/account.page.js';
import { Notices } from '#src/accounts/notices.js';
import { signInBefore } from '#src/accounts/sign-in-target.policy.js';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { go, sendPage } from '#src/pages/page.js';
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
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    sendPage(reply, mayLeave(context.person) ? departurePage(context) : ownerStaysPage(context));
  }

  @Post()
  async leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = context;
    if (!mayLeave(person)) return sendPage(reply, ownerStaysPage(context));
    const error = await this.proof.error({ request, site }, person, single(form, 'current') ?? '');
    if (error !== undefined) return sendPage(reply, departurePage(context, error));
    if (!(await this.departures.leave(site, person))) return sendPage(reply, ownerStaysPage(context));
    this.notices.leave(reply, { site, person: undefined }, 'left', site.name);
    go(reply, `${ACCOUNT}/sign-in`);
  }
}
