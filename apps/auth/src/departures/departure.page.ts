import { phrase, say } from '@lyceum/messages';
import { field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { page } from '#src/pages/page.js';
import { ACCOUNT, DATA_EXPORT, LEAVING, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { PasswordProofError } from '#src/sign-ins/password-proof.js';

export function departurePage({ site, person, csrf }: AccountContext, error?: PasswordProofError): Page {
  return page(site, {
    title: say('leave.question', { site: site.name }),
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>${phrase('leave.question', { site: html`<bdi>${site.name}</bdi>` })}</h1>
      <p class="alarm">${say('leave.final')}</p>
      <h2>${say('leave.lose')}</h2>
      <ul>
        <li>${phrase('leave.lose_profile', { email: html`<bdi>${person.email}</bdi>` })}</li>
        <li>${say('leave.lose_access')}</li>
        <li>${say('leave.lose_applications')}</li>
      </ul>
      <h2>${say('leave.stay')}</h2>
      <ul>
        <li>${say('leave.stay_orders')}</li>
        <li>${say('leave.stay_sites')}</li>
      </ul>
      <p>
        ${phrase('leave.download_first', { download: html`<a href="${DATA_EXPORT}">${say('account.download')}</a>` })}
      </p>
      <form method="post" action="${LEAVING}">
        ${hiddenFields({ csrf })}
        ${field({
          name: 'current',
          label: say('form.current_password'),
          type: 'password',
          autocomplete: 'current-password',
          error: error?.message,
          beside: html`<a href="${PASSWORD_RESET_PATH}">${say('form.forgot_password')}</a>`,
        })}
        <div class="actions"><button class="end" type="submit">${say('leave.button')}</button></div>
      </form>
      <p><a href="${ACCOUNT}">${say('form.cancel')}</a></p>`,
  });
}

export function ownerStaysPage({ site }: AccountContext): Page {
  return page(site, {
    title: say('leave.owner'),
    status: 409,
    body: html`<h1>${say('leave.owner')}</h1>
      <p>${phrase('leave.owner_next', { site: html`<bdi>${site.name}</bdi>` })}</p>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
