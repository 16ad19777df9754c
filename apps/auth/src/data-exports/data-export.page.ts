import { phrase, say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { page } from '#src/pages/page.js';
import { ACCOUNT, DATA_EXPORT } from '#src/protocol/paths.js';

export interface DataExportError {
  readonly status: 429 | 503;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter: number;
}

export function dataExportPage({ site, csrf }: AccountContext, error?: DataExportError): Page {
  return page(site, {
    title: say('export.title'),
    status: error?.status ?? 200,
    ...(error === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>${say('export.title')}</h1>
      <p>${phrase('export.lead', { site: html`<bdi>${site.name}</bdi>` })}</p>
      <ul>
        <li>${say('export.profile')}</li>
        <li>${say('export.learning')}</li>
        <li>${say('export.more')}</li>
      </ul>
      <p class="quiet">${say('export.safe')}</p>
      ${error && html`<p class="alarm" role="alert">${error.message}</p>`}
      <form method="post" action="${DATA_EXPORT}">
        ${hiddenFields({ csrf })}
        <div class="actions"><button class="main" type="submit">${say('export.button')}</button></div>
      </form>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
