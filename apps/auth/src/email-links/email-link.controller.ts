import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { go, send, sendPage } from '#src/pages/page.js';
import type { Shown } from '#src/pages/page.js';
import { RepeatedForms } from '#src/repeated-forms/repeated-forms.js';
import type { Submission } from '#src/repeated-forms/repeated-forms.js';
import { followedLink, forgetLink, keepLink } from '#src/password-links/followed-link.js';
import { EMAIL_LINK_PATH } from '#src/protocol/paths.js';
import { randomToken } from '#src/secrets/digest.js';
import { emailLinkOverPage, signInLinkPage, signUpPage } from './email-link.page.js';
import type { EmailLinkError } from './email-link.page.js';
import { EmailLinkSteps } from './email-link-steps.service.js';
import { EmailLinks } from './email-links.service.js';
import type { FoundEmailLink } from './email-links.service.js';
import { browserOf, requestingBrowser, secretOf } from './requesting-browser.js';

/** A link that this browser has followed. */
interface FollowedLink {
  /** Distinguishes the links of this browser. */
  readonly id: string;
  readonly token: string;
  readonly found: FoundEmailLink;
}

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
    private readonly repeats: RepeatedForms,
  ) {}

  @Get()
  async show(
    @Query() { token, link }: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const site = siteOf(request);
    if (typeof token !== 'string')
      return sendPage(reply, await this.#page(request, reply, typeof link === 'string' ? link : ''));
    if ((await this.links.find(site, token)) === undefined) return sendPage(reply, emailLinkOverPage(site));
    go(reply, `${EMAIL_LINK_PATH}?link=${keepLink(reply, site, token, EMAIL_LINK_PATH)}`);
  }

  @Post()
  async use(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = siteOf(request);
    const form = await readForm(request);
    // The form has no secret of the person. A browser without its cookie cannot repeat it.
    const browser = requestingBrowser(request)?.secret ?? randomToken();
    const submission = { request, reply, form, browser };
    const link = await this.#followed(request, single(form, 'link') ?? '');
    // The first of two clicks may have used the link.
    if (link === undefined) return send(reply, (await this.repeats.find(submission)) ?? emailLinkOverPage(site));
    if (!this.csrfTokens.verify(site, request, link.token, single(form, 'csrf'))) {
      const error = { field: 'form', message: say('form.forged') } as const;
      return sendPage(reply, this.#form(request, link, { name: single(form, 'name'), error }));
    }
    send(reply, await this.repeats.once(submission, () => this.#use(submission, link)));
  }

  async #use({ request, reply, form }: Submission, link: FollowedLink): Promise<Shown> {
    const site = siteOf(request);
    const { id, token, found } = link;
    const name = single(form, 'name');
    const step = { at: { request, reply, site }, token, browser: browserOf(request, found.browser_hash) };
    const next =
      found.purpose === 'sign_up'
        ? await this.steps.signUp(step, { name: name ?? '', password: single(form, 'password') ?? '' })
        : await this.steps.signIn(step, single(form, 'confirmed') === 'yes');
    if (next.kind === 'again') return this.#form(request, link, { ...next, name });
    forgetLink(reply, site, id, EMAIL_LINK_PATH);
    return next.kind === 'over' ? emailLinkOverPage(site) : next.location;
  }

  /** Undefined for a link that this browser has not followed, and for one that is no longer open. */
  async #followed(request: FastifyRequest, id: string): Promise<FollowedLink | undefined> {
    const token = followedLink(request, id);
    const found = token === undefined ? undefined : await this.links.find(siteOf(request), token);
    return token === undefined || found === undefined ? undefined : { id, token, found };
  }

  async #page(request: FastifyRequest, reply: FastifyReply, id: string): Promise<Page> {
    const site = siteOf(request);
    const link = await this.#followed(request, id);
    if (link === undefined) return emailLinkOverPage(site);
    secretOf(request, reply, site);
    return this.#form(request, link);
  }

  #form(request: FastifyRequest, { id, token, found }: FollowedLink, { name, error }: Typed = {}): Page {
    const { email, hasPassword, browser_hash } = found;
    const browser = browserOf(request, browser_hash);
    const view = {
      email,
      hasPassword,
      isOwnBrowser: browser !== undefined,
      leadsToApplication: browser?.uid !== undefined,
      link: id,
      csrf: this.csrfTokens.issue(token),
      name: name ?? '',
      error,
    };
    const site = siteOf(request);
    return found.purpose === 'sign_up' ? signUpPage(site, view) : signInLinkPage(site, view);
  }
}
