import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { readerLanguage, say } from '@lyceum/messages';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sourceOf } from '@lyceum/rate-limit';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { KnownDevices } from '#src/sign-ins/known-devices.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { sendPage } from '#src/pages/page.js';
import { canonicalEmail } from '#src/people/email.policy.js';
import { PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import { passwordResetPage, passwordResetSentPage } from './invitation.page.js';
import { PasswordResetLimits } from './password-reset-limits.js';
import { ResetRequestsQueue } from './reset-requests.queue.js';

/** Password reset. Neither the response nor its time reveals whether the account exists. */
@Controller(PASSWORD_RESET_PATH)
@UseFilters(OAuthErrorFilter)
export class PasswordResetController {
  constructor(
    private readonly requests: ResetRequestsQueue,
    private readonly csrfTokens: CsrfTokens,
    private readonly limits: PasswordResetLimits,
    private readonly devices: KnownDevices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(reply, passwordResetPage(siteOf(request), this.csrfTokens.issue(PASSWORD_RESET_PATH)));
  }

  @Post()
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    const csrf = this.csrfTokens.issue(PASSWORD_RESET_PATH);
    if (!this.csrfTokens.verify(site, request, PASSWORD_RESET_PATH, single(form, 'csrf'))) {
      const message = say('form.forged');
      return sendPage(reply, passwordResetPage(site, csrf, { status: 403, message }));
    }
    const email = single(form, 'email') ?? '';
    const retryAfter = await this.limits.secondsToWait({
      site_id: site.site_id,
      source: sourceOf(request.ip),
      account: canonicalEmail(email) ?? '',
      device: this.devices.of(request, site, email),
    });
    if (retryAfter !== undefined) {
      const message = say('form.too_many_links');
      return sendPage(reply, passwordResetPage(site, csrf, { status: 429, message, retryAfter }));
    }
    await this.#queue(site, email);
    sendPage(reply, passwordResetSentPage(site));
  }

  /** Does not look for the account: the duration would reveal it. */
  async #queue(site: SiteRecord, email: string): Promise<void> {
    const address = canonicalEmail(email);
    if (address === undefined) return;
    try {
      await this.limits.takeMail(site.site_id, address);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'rate_limited') return;
      throw error;
    }
    await this.requests.add({ site_id: site.site_id, address, language: readerLanguage() });
  }
}
