import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '@lyceum/pages';
import { single } from '#src/edge/body.js';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { randomToken } from '#src/secrets/digest.js';
import { accountSignInPage } from './account.page.js';
import type { AccountSignInView } from './account.page.js';
import { Notices } from '#src/notices/notices.js';
import { signInTarget } from './sign-in-target.policy.js';
import { ACCOUNT } from '#src/protocol/paths.js';

const COOKIE = 'lyceum.sign-in';

/** Sign-in without an authorization request. The form is valid only in the browser that it was shown in. */
@Injectable()
export class AccountSignIn {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: BrowserSessions,
    private readonly csrfTokens: CsrfTokens,
    private readonly notices: Notices,
  ) {}

  async form(
    request: FastifyRequest,
    reply: FastifyReply,
    next: unknown,
    more: Pick<AccountSignInView, 'email' | 'error'> = {},
  ): Promise<Page> {
    const site = siteOf(request);
    const browser = randomToken();
    setCookie(reply, site, { name: COOKIE, value: browser, path: ACCOUNT, sameSite: 'strict' });
    const csrf = this.csrfTokens.issue(`sign-in:${browser}`);
    const passkeyRequest = await this.signIns.passkeyRequest(site, browser, request);
    const notice = this.notices.take(request, reply, { site, person: undefined });
    return accountSignInPage(site, { ...more, csrf, next: signInTarget(next), passkeyRequest, notice });
  }

  /** The address to continue at, or the page again. */
  async attempt(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<Page | string> {
    const site = siteOf(request);
    const [next, email] = [signInTarget(single(form, 'next')), single(form, 'email') ?? ''];
    const browser = readCookie(request, COOKIE);
    const purpose = `sign-in:${browser ?? ''}`;
    if (browser === undefined || !this.csrfTokens.verify(site, request, purpose, single(form, 'csrf'))) {
      return this.form(request, reply, next, { email, error: { kind: 'forged' } });
    }
    const [password, credential] = [single(form, 'password') ?? '', single(form, 'credential')];
    const at = { request, reply, site };
    const outcome =
      credential === undefined
        ? await this.signIns.attempt(at, { email, password })
        : await this.signIns.attemptPasskey(at, { credential, browser });
    if (outcome.kind !== 'signed_in') return this.form(request, reply, next, { email, error: outcome });
    const begun = await this.sessions.begin(request, reply, site, outcome.who);
    if (begun) return next;
    // All sessions ended between the check and the sign-in, so the password may be old.
    const kind = credential === undefined ? 'refused' : 'passkey_refused';
    return this.form(request, reply, next, { email, error: { kind } });
  }
}
