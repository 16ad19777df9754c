import { html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { PendingInteraction } from '#src/provider/open-interaction.js';
import { signInResponse, signInForm } from './sign-in.form.js';
import type { SignInError } from './sign-in.form.js';

export interface SignInView {
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
  readonly csrf: string;
  readonly email?: string | undefined;
  readonly error?: SignInError | undefined;
  readonly passkeyRequest: object | undefined;
}

export function signInPage({ pending, client, csrf, email, error, passkeyRequest }: SignInView): Page {
  const { site, uid } = pending;
  const action = `${ENDPOINTS.interaction}/${uid}/sign-in`;
  return page(site, {
    title: 'Sign in',
    formTarget: pending.redirect_uri,
    ...signInResponse({ error, passkeyRequest }),
    body: html`<h1>Sign in</h1>
      <p>to continue to <strong>${client.name}</strong> at ${site.name}</p>
      ${signInForm({ action, hidden: { csrf }, email: email ?? pending.login_hint ?? '', error, passkeyRequest })}
      <form method="post" action="${`${ENDPOINTS.interaction}/${uid}/cancel`}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <p><button class="link" type="submit">Cancel and go back</button></p>
      </form>`,
  });
}
