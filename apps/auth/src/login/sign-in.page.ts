import { html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { PASSWORD_RESET_PATH } from '#src/invitations/invitation.page.js';
import { ENDPOINTS } from '#src/metadata/endpoints.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import type { PendingInteraction } from '#src/provider/interactions.js';

export type SignInFault = { kind: 'refused' } | { kind: 'slowed_down'; retryAfter: number } | { kind: 'forged' };

export interface SignInView {
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
  readonly csrf: string;
  readonly email?: string;
  readonly fault?: SignInFault;
}

const STATUS = { refused: 422, slowed_down: 429, forged: 403 } as const;

function words(fault: SignInFault): string {
  switch (fault.kind) {
    case 'refused':
      // The same whether the account exists or not.
      return 'The e-mail address or the password is not right.';
    case 'slowed_down':
      return `There were too many attempts. Please wait ${fault.retryAfter} seconds, then try again.`;
    case 'forged':
      return 'The form did not come from this page. Please try again.';
  }
}

export function signInPage({ pending, client, csrf, email, fault }: SignInView): Page {
  const { site, uid } = pending;
  return page(site, {
    title: 'Sign in',
    formTarget: pending.redirect_uri,
    status: fault === undefined ? 200 : STATUS[fault.kind],
    ...(fault?.kind === 'slowed_down' ? { headers: { 'retry-after': String(fault.retryAfter) } } : {}),
    body: html`<h1>Sign in</h1>
      <p>to go on to <strong>${client.name}</strong> at ${site.name}</p>
      ${fault && html`<p class="alarm" role="alert" id="fault">${words(fault)}</p>`}
      <form method="post" action="${`${ENDPOINTS.interaction}/${uid}/sign-in`}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <label for="email">E-mail address</label>
        <input
          type="email"
          id="email"
          name="email"
          value="${email ?? pending.login_hint ?? ''}"
          autocomplete="username"
          required
          autofocus
          ${fault && html`aria-describedby="fault"`}
        />
        <label for="password">Password</label>
        <input
          type="password"
          id="password"
          name="password"
          autocomplete="current-password"
          required
          ${fault && html`aria-describedby="fault"`}
        />
        <div class="actions"><button class="main" type="submit">Sign in</button></div>
      </form>
      <p><a href="${PASSWORD_RESET_PATH}">Forgotten your password?</a></p>
      <form method="post" action="${`${ENDPOINTS.interaction}/${uid}/cancel`}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <p><button class="link" type="submit">Cancel and go back</button></p>
      </form>`,
  });
}
