import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { SignOutRequest } from './sign-out-request.js';

/** Confirms the sign-out: any page on the web can send a browser here. */
export function confirmPage(site: SiteRecord, signOut: SignOutRequest, csrf: string): Page {
  const { client_id, post_logout_redirect_uri, state } = signOut;
  const carried = Object.entries({ csrf, client_id, post_logout_redirect_uri, state });
  const hidden = carried.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  );
  return page(site, {
    title: 'Sign out',
    ...(post_logout_redirect_uri === undefined ? {} : { formTarget: post_logout_redirect_uri }),
    body: html`<h1>Sign out of ${site.name}?</h1>
      <p>This browser is signed out. Applications that you connected stay connected.</p>
      <form method="post" action="${`${ENDPOINTS.endSession}/confirm`}">
        ${hidden}
        <div class="actions"><button class="main" type="submit" name="sign_out" value="yes">Sign out</button></div>
      </form>
      <p><a href="/account">Stay signed in</a></p>`,
  });
}

export function signedOutPage(site: SiteRecord): Page {
  return page(site, {
    title: 'You are signed out',
    body: html`<h1>You are signed out</h1>
      <p>This browser is no longer signed in at ${site.name}. Applications that you connected stay connected.</p>
      <p><a href="/account">Sign in again</a></p>`,
  });
}
