import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { go, sendPage } from '#src/pages/page.js';
import { followedLink, keepLink } from '#src/password-links/followed-link.js';
import { EMAIL_CHANGE_LINK } from '#src/protocol/paths.js';
import { EmailChangesService } from './email-changes.service.js';
import { emailChangeLinkOverPage, emailChangeLinkPage } from './email-change-link.page.js';

/**
 * The links that both addresses get. They ask first, because programs follow the links of mails. They need no session:
 * the token proves the address.
 */
@Controller(EMAIL_CHANGE_LINK)
@UseFilters(OAuthErrorFilter)
export class EmailChangeLinkController {
  constructor(
    private readonly changes: EmailChangesService,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  /** The first request moves the token out of the URL. */
  @Get()
  async show(
    @Query() { token, link }: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const site = siteOf(request);
    if (typeof token !== 'string') return sendPage(reply, await this.#page(request, link));
    if ((await this.changes.find(site, token)) === undefined) return sendPage(reply, emailChangeLinkOverPage(site));
    go(reply, `${EMAIL_CHANGE_LINK}?link=${keepLink(reply, site, token, EMAIL_CHANGE_LINK)}`);
  }

  @Post()
  async decide(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    const link = single(form, 'link') ?? '';
    const token = followedLink(request, link);
    if (token === undefined) return sendPage(reply, emailChangeLinkOverPage(site));
    const decision = single(form, 'decision');
    const isGenuine = this.csrfTokens.verify(site, request, purpose(token), single(form, 'csrf'));
    if (!isGenuine || (decision !== 'agree' && decision !== 'refuse')) {
      return sendPage(reply, await this.#page(request, link, say('form.forged')));
    }
    await this.changes.decide(site, token, decision === 'agree');
    go(reply, `${EMAIL_CHANGE_LINK}?link=${link}`);
  }

  async #page(request: FastifyRequest, link: unknown, error?: string): Promise<Page> {
    const site = siteOf(request);
    const id = typeof link === 'string' ? link : '';
    const token = followedLink(request, id);
    const change = token === undefined ? undefined : await this.changes.find(site, token);
    if (token === undefined || change === undefined) return emailChangeLinkOverPage(site);
    const view = { ...change, csrf: this.csrfTokens.issue(purpose(token)), link: id };
    return emailChangeLinkPage(site, { ...view, ...(error === undefined ? {} : { error }) });
  }
}

const purpose = (token: string): string => `email-change:${token}`;
