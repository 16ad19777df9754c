import { say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { PAGE_CLIENTS } from '#src/clients/page-client.policy.js';
import type { ClientPage, PageClients } from '#src/clients/page-client.policy.js';
import { randomToken } from '#src/secrets/digest.js';
import { APPLICATIONS } from './admin.page.js';
import { applicationPath } from './application-words.js';

export const PAGE_APPLICATIONS = `${APPLICATIONS}/pages`;

/** The name of the page, and of its application at consent. */
export const nameOfPage = (page: ClientPage): string => say(page === 'explorer' ? 'front.explorer' : 'front.reference');

function item(context: AccountContext, page: ClientPage, clients: PageClients): Html {
  const client = clients[page];
  const name = nameOfPage(page);
  // The token makes two submissions of this form create one application.
  const hidden = { csrf: context.csrf, form: randomToken(), page };
  const state =
    client === undefined
      ? html`<form method="post" action="${PAGE_APPLICATIONS}">
          ${hiddenFields(hidden)}<button type="submit">${say('page_applications.add', { name })}</button>
        </form>`
      : html`<p><a class="badge" href="${applicationPath(client.client_id)}">${say('page_applications.added')}</a></p>`;
  return html`<li>
    <a href="${PAGE_CLIENTS[page].path}">${name}</a>
    ${state}
  </li>`;
}

/** Adds an application for a page for developers with one click. */
export function pageApplications(context: AccountContext, clients: PageClients): Html {
  return html`<section>
    <h2>${say('page_applications.title')}</h2>
    <p>${say('page_applications.lead')}</p>
    <ul class="cards">
      ${item(context, 'reference', clients)} ${item(context, 'explorer', clients)}
    </ul>
  </section>`;
}
