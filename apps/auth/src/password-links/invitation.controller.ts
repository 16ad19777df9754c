import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { go, send, sendPage } from '#src/pages/page.js';
import type { Shown } from '#src/pages/page.js';
import { RepeatedForms } from '#src/repeated-forms/repeated-forms.js';
import type { Submission } from '#src/repeated-forms/repeated-forms.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { INVITATION_PATH } from '#src/protocol/paths.js';
import { followedLink, forgetLink, keepLink } from './followed-link.js';
import { invitationDonePage, invitationOverPage, invitationPage } from './invitation.page.js';
import { PasswordLinks } from './password-links.service.js';

/** The result of a link, in the address of the page after the form. */
type Done = 'signed-in' | 'no-access';
const doneAt = (done: Done): string => `${INVITATION_PATH}?done=${done}`;
const isDone = (done: unknown): done is Done => done === 'signed-in' || done === 'no-access';

/** The pages of password links. The first request moves the token out of the URL. */
@Controller(INVITATION_PATH)
@UseFilters(OAuthErrorFilter)
export class InvitationController {
  constructor(
    private readonly links: PasswordLinks,
    private readonly csrfTokens: CsrfTokens,
    private readonly signIns: SignInService,
    private readonly sessions: BrowserSessions,
    private readonly repeats: RepeatedForms,
  ) {}

  @Get()
  async show(
    @Query() { token, link, done }: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const site = siteOf(request);
    if (isDone(done)) return sendPage(reply, invitationDonePage(site, done === 'signed-in'));
    if (typeof token !== 'string') return sendPage(reply, await this.#page(request, link));
    if ((await this.links.find(site, token)) === undefined) return sendPage(reply, invitationOverPage(site));
    go(reply, `${INVITATION_PATH}?link=${keepLink(reply, site, token)}`);
  }

  @Post()
  async accept(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    const submission = { request, reply, form };
    const link = single(form, 'link') ?? '';
    const token = followedLink(request, link);
    // The first of two clicks may have used the link.
    if (token === undefined || (await this.links.find(site, token)) === undefined) {
      return send(reply, (await this.repeats.find(submission)) ?? invitationOverPage(site));
    }
    if (!this.csrfTokens.verify(site, request, token, single(form, 'csrf'))) {
      return sendPage(reply, await this.#page(request, link, say('form.forged')));
    }
    send(reply, await this.repeats.once(submission, () => this.#accept(submission, link, token)));
  }

  async #accept({ request, reply, form }: Submission, link: string, token: string): Promise<Shown> {
    const site = siteOf(request);
    const given = { password: single(form, 'password') ?? '', keep: form.getAll('keep') };
    try {
      const owner = await this.links.accept(site, token, given);
      forgetLink(reply, site, link);
      if (owner === undefined) return invitationOverPage(site);
      // Makes the browser known, too: guesses of others may delay the account.
      const who = await this.signIns.enterByLink({ request, reply, site }, owner.who, owner.email);
      const isSignedIn = who !== undefined && (await this.sessions.begin(request, reply, site, who));
      return doneAt(isSignedIn ? 'signed-in' : 'no-access');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      return this.#page(request, link, error.message, given.keep);
    }
  }

  /** `keep`: the selection before the error. */
  async #page(request: FastifyRequest, link: unknown, error?: string, keep: readonly string[] = []): Promise<Page> {
    const site = siteOf(request);
    const id = typeof link === 'string' ? link : '';
    const token = followedLink(request, id);
    const open = token === undefined ? undefined : await this.links.find(site, token);
    if (token === undefined || open === undefined) return invitationOverPage(site);
    const view = { ...open, keep, csrf: this.csrfTokens.issue(token), link: id };
    return invitationPage(site, { ...view, ...(error === undefined ? {} : { error }) });
  }
}
