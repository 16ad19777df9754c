import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { go, sendPage } from '#src/pages/page.js';
import { followedLink, forgetLink, keepLink } from '#src/password-links/followed-link.js';
import { EMAIL_LINK_PATH } from '#src/protocol/paths.js';
import { emailLinkOverPage, signInLinkPage, signUpPage } from './email-link.page.js';
import type { EmailLinkError } from './email-link.page.js';
import { EmailLinkSteps } from './email-link-steps.service.js';
import { EmailLinks } from './email-links.service.js';
import type { FoundEmailLink } from './email-links.service.js';
import { browserOf } from './requesting-browser.js';

interface Typed {
  readonly name?: string | undefined;
  readonly error?: EmailLinkError;
}

/** The page of links that create an account or sign in. Only its form uses the link. */
@Controller(EMAIL_LINK_PATH)
@UseFilters(OAuthErrorFilter)
export class EmailLinkController {
  constructor(
    private readonly links: EmailLinks,
    private readonly steps: EmailLinkSteps,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  @Get()
  async show(
    @Query() { token, link }: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const site = siteOf(request);
    if (typeof token !== 'string')
      return sendPage(reply, await this.#page(request, typeof link === 'string' ? link : ''));
    if ((await this.links.find(site, token)) === undefined) return sendPage(reply, emailLinkOverPage(site));
    go(reply, `${EMAIL_LINK_PATH}?link=${keepLink(reply, site, token, EMAIL_LINK_PATH)}`);
  }

  @Post()
  async use(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    const id = single(form, 'link') ?? '';
    const token = followedLink(request, id);
    const found = token === undefined ? undefined : await this.links.find(site, token);
    if (token === undefined || found === undefined) return sendPage(reply, emailLinkOverPage(site));
    const name = single(form, 'name');
    if (!this.csrfTokens.verify(site, request, token, single(form, 'csrf'))) {
      const error = { field: 'form', message: say('form.forged') } as const;
      return sendPage(reply, this.#form(request, id, token, found, { name, error }));
    }
    const step = { at: { request, reply, site }, token, browser: browserOf(request, found.browser_hash) };
    const next =
      found.purpose === 'sign_up'
        ? await this.steps.signUp(step, { name: name ?? '', password: single(form, 'password') ?? '' })
        : await this.steps.signIn(step, single(form, 'confirmed') === 'yes');
    if (next.kind === 'again') return sendPage(reply, this.#form(request, id, token, found, { ...next, name }));
    forgetLink(reply, site, id, EMAIL_LINK_PATH);
    if (next.kind === 'over') sendPage(reply, emailLinkOverPage(site));
    else go(reply, next.location);
  }

  async #page(request: FastifyRequest, id: string): Promise<Page> {
    const site = siteOf(request);
    const token = followedLink(request, id);
    const found = token === undefined ? undefined : await this.links.find(site, token);
    if (token === undefined || found === undefined) return emailLinkOverPage(site);
    return this.#form(request, id, token, found);
  }

  #form(
    request: FastifyRequest,
    link: string,
    token: string,
    found: FoundEmailLink,
    { name, error }: Typed = {},
  ): Page {
    const { email, hasPassword, browser_hash } = found;
    const isOwnBrowser = browserOf(request, browser_hash) !== undefined;
    const view = {
      email,
      hasPassword,
      isOwnBrowser,
      link,
      csrf: this.csrfTokens.issue(token),
      name: name ?? '',
      error,
    };
    const site = siteOf(request);
    return found.purpose === 'sign_up' ? signUpPage(site, view) : signInLinkPage(site, view);
  }
}
