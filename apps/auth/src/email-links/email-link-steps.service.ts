import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Notices } from '#src/notices/notices.js';
import { profileForm } from '#src/members/profile.policy.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { BrowserSessions } from '#src/provider/authorization/browser-sessions.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import type { SignInContext } from '#src/sign-ins/site-sign-in.js';
import { signInPageOf } from './email-link-forms.service.js';
import type { EmailLinkError } from './email-link.page.js';
import { EmailLinks } from './email-links.service.js';
import type { LinkProof, TypedAccount } from './email-links.service.js';
import type { RequestingBrowser } from './requesting-browser.js';

/** The use of a link. */
export interface EmailLinkStep {
  readonly at: SignInContext;
  readonly token: string;
  /** Undefined in another browser than the one that requested the link. */
  readonly browser: RequestingBrowser | undefined;
}

/** `again`: the page of the link is shown again. */
export type AfterLink =
  | { readonly kind: 'go'; readonly location: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'again'; readonly error?: EmailLinkError };

const go = (location: string): AfterLink => ({ kind: 'go', location });
const again = (field: EmailLinkError['field'], message: string): AfterLink => ({
  kind: 'again',
  error: { field, message },
});

/** Uses a link, and signs the browser in. */
@Injectable()
export class EmailLinkSteps {
  constructor(
    private readonly links: EmailLinks,
    private readonly signIns: SignInService,
    private readonly sessions: BrowserSessions,
    private readonly notices: Notices,
  ) {}

  async signUp({ at, token, browser }: EmailLinkStep, typed: TypedAccount): Promise<AfterLink> {
    const { reply, site } = at;
    const name = profileForm.shape.name.safeParse(typed.name);
    if (!name.success) return again('name', name.error.issues[0]?.message ?? '');
    try {
      const done = await this.links.signUp(site, token, { ...typed, name: name.data });
      if (done.kind === 'over') return done;
      if (done.kind === 'created') return await this.#enter(at, done, 'password', browser?.uid);
      this.notices.leave(reply, { site, person: undefined }, 'joined');
      return go(signInPageOf(browser?.uid));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'validation_failed') return again('password', error.message);
      throw error;
    }
  }

  /** In another browser the person confirms first: the link may be that of someone else (login CSRF). */
  async signIn({ at, token, browser }: EmailLinkStep, confirmed: boolean): Promise<AfterLink> {
    if (browser === undefined && !confirmed) return { kind: 'again' };
    const proof = await this.links.signIn(at.site, token);
    return proof === undefined ? { kind: 'over' } : this.#enter(at, proof, 'link', browser?.uid);
  }

  /** Continues the authorization in the browser that began it. */
  async #enter(
    at: SignInContext,
    { email, who }: LinkProof,
    method: 'password' | 'link',
    uid: string | undefined,
  ): Promise<AfterLink> {
    const { request, reply, site } = at;
    const signedIn = await this.signIns.enterByLink(at, who, email, method);
    if (signedIn === undefined || !(await this.sessions.begin(request, reply, site, signedIn))) return { kind: 'over' };
    if (uid !== undefined) return go(`${ENDPOINTS.interaction}/${uid}/continue`);
    if (method === 'password') this.notices.leave(reply, { site, person: who }, 'signed_up');
    return go(ACCOUNT);
  }
}
