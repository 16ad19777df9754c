import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { proofError } from '#src/sign-ins/password-proof.js';
import { go, sendPage } from '#src/pages/page.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { staleFormPage } from './account.page.js';
import { passwordChangePage } from './password-change.page.js';
import { PasswordChangeService } from './password-change.service.js';
import { ACCOUNT, PASSWORD_CHANGE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import { Notices } from './notices.js';
import { RepeatedPasswordChanges } from './repeated-password-changes.js';
import { signInBefore } from './sign-in-target.policy.js';

/** Changes the password of a signed-in person, who must know the current one. */
@Controller(PASSWORD_CHANGE)
@UseFilters(OAuthErrorFilter)
export class PasswordChangeController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly changes: PasswordChangeService,
    private readonly repeats: RepeatedPasswordChanges,
    private readonly sessions: BrowserSessions,
    private readonly notices: Notices,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, signInBefore(request.url));
    sendPage(reply, passwordChangePage(context));
  }

  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const csrf = single(form, 'csrf') ?? '';
    const [current, password] = [single(form, 'current') ?? '', single(form, 'password') ?? ''];
    const context = await this.guard.authenticateForm(request, reply, csrf);
    if (context === undefined) return this.#repeat(request, reply, csrf, password);
    const { site, person, session } = context;
    const error = await this.changes.error(site, person, password);
    if (error !== undefined) {
      return sendPage(reply, passwordChangePage(context, { status: 422, field: 'password', message: error }));
    }
    if (!(await this.repeats.begin(site, session.uid, csrf))) return this.#repeat(request, reply, csrf, password);
    const outcome = await this.changes.change(request, context, current, password);
    if (outcome.kind !== 'signed_in') {
      await this.repeats.release(site, csrf);
      return sendPage(reply, passwordChangePage(context, proofError(outcome)));
    }
    // All sessions ended with the old password, including this one.
    await this.sessions.begin(request, reply, site, outcome.who);
    this.notices.leave(reply, context, 'password_changed');
    await this.repeats.keep(site, csrf, { email: person.email, cookies: cookiesOf(reply) });
    go(reply, ACCOUNT);
  }

  /** A second click goes to where the first one went. */
  async #repeat(request: FastifyRequest, reply: FastifyReply, csrf: string, password: string): Promise<void> {
    const site = siteOf(request);
    const cookies = await this.repeats.cookies(request, site, csrf, password);
    if (cookies === undefined) return sendPage(reply, staleFormPage(site));
    reply.raw.setHeader('set-cookie', [...cookies]);
    go(reply, ACCOUNT);
  }
}

function cookiesOf(reply: FastifyReply): string[] {
  return [reply.raw.getHeader('set-cookie') ?? []].flat().map(String);
}
