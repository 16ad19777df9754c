import { phrase, say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { SignOutRequest } from './sign-out-request.js';

/** Confirms the sign-out: any page on the web can send a browser here. */
export function confirmPage(site: SiteRecord, signOut: SignOutRequest, csrf: string): Page {
  return page(site, {
    title: say('sign_out.title'),
    narrow: true,
    leadsToApplication: signOut.post_logout_redirect_uri !== undefined,
    body: html`<h1>${phrase('sign_out.question', { site: html`<bdi>${site.name}</bdi>` })}</h1>
      <p>${say('sign_out.effect')}</p>
      <form method="post" action="${`${ENDPOINTS.endSession}/confirm`}">
        ${hiddenFields({ csrf, ...signOut })}
        <div class="actions">
          <button class="main" type="submit" name="sign_out" value="yes">${say('sign_out.title')}</button>
          <a class="button" href="${ACCOUNT}">${say('sign_out.stay')}</a>
        </div>
      </form>`,
  });
}

export function signedOutPage(site: SiteRecord): Page {
  return page(site, {
    title: say('signed_out.title'),
    narrow: true,
    body: html`<h1>${say('signed_out.title')}</h1>
      <p>${phrase('signed_out.effect', { site: html`<bdi>${site.name}</bdi>` })}</p>
      <div class="actions"><a class="button main" href="${ACCOUNT}">${say('signed_out.again')}</a></div>
      <p class="quiet small">${say('signed_out.applications')}</p>`,
  });
}
