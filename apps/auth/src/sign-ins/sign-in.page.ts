import { phrase, say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { noticeLine } from '#src/notices/notices.js';
import type { Notice } from '#src/notices/notices.js';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import { signInResponse, signInForm } from './sign-in.form.js';
import type { PasskeyOffer, SignInError } from './sign-in.form.js';
import { waysIn } from './ways-in.policy.js';

export interface SignInView {
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
  readonly csrf: string;
  readonly email?: string | undefined;
  readonly error?: SignInError | undefined;
  readonly passkeyRequest: PasskeyOffer | undefined;
  readonly notice?: Notice | undefined;
}

export function signInPage({ pending, client, csrf, email, error, passkeyRequest, notice }: SignInView): Page {
  const { site, uid } = pending;
  const base = `${ENDPOINTS.interaction}/${uid}`;
  const action = `${base}/sign-in`;
  return page(site, {
    title: say('sign_in.title'),
    leadsToApplication: true,
    ...signInResponse({ error, passkeyRequest }),
    body: html`${noticeLine(notice)}
      <h1>${say('sign_in.title')}</h1>
      <p class="lead">${phrase('sign_in.to_continue', { client: html`<strong><bdi>${client.name}</bdi></strong>` })}</p>
      ${signInForm({
        action,
        hidden: { csrf },
        email: email ?? pending.login_hint ?? '',
        error,
        passkeyRequest,
        more: waysIn(site, base),
      })}
      <div class="end-links">
        <form method="post" action="${`${base}/cancel`}">
          ${hiddenFields({ csrf })}
          <button class="link" type="submit">${say('sign_in.cancel')}</button>
        </form>
      </div>`,
  });
}
