import { phrase, say } from '@lyceum/messages';
import { hiddenFields, initialOf } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';

/** An account that is signed in with this browser. */
export interface ShownAccount {
  readonly uid: string;
  readonly name: string;
  readonly email: string;
}

export interface AccountChooserView {
  readonly client: Pick<OAuthClient, 'name'>;
  readonly accounts: readonly ShownAccount[];
  readonly csrf: string;
  /** The query of the authorization request, to continue with. */
  readonly query: string;
}

/** The value of the button that signs in with another account. */
export const ANOTHER = 'another';

const identity = ({ name, email }: ShownAccount): Html =>
  html`<span class="tile" data-initial="${initialOf(name)}" aria-hidden="true"></span>
    <span
      ><strong><bdi>${name}</bdi></strong
      ><br /><small><bdi>${email}</bdi></small></span
    >`;

const account = (shown: ShownAccount): Html =>
  html`<li>
    <button type="submit" name="account" value="${shown.uid}">${identity(shown)}</button>
  </li>`;

/** The accounts to select from. A single one leads on by the main button of the page. */
function choice(accounts: readonly ShownAccount[]): Html {
  const [first, second] = accounts;
  const another = html`<button type="submit" name="account" value="${ANOTHER}">${say('chooser.another')}</button>`;
  if (first === undefined || second !== undefined)
    return html`<ul class="rows accounts">
        ${accounts.map(account)}
      </ul>
      <div class="actions">${another}</div>`;
  return html`<p class="client accounts">${identity(first)}</p>
    <div class="actions">
      <button class="main" type="submit" name="account" value="${first.uid}">
        <span>${phrase('chooser.continue_as', { name: html`<bdi>${first.name}</bdi>` })}</span>
      </button>
      ${another}
    </div>`;
}

export function accountChooserPage(site: SiteRecord, view: AccountChooserView): Page {
  const { client, accounts, csrf, query } = view;
  return page(site, {
    title: say('chooser.title'),
    narrow: true,
    leadsToApplication: true,
    body: html`<h1>${say('chooser.title')}</h1>
      <p class="lead">${phrase('sign_in.to_continue', { client: html`<strong><bdi>${client.name}</bdi></strong>` })}</p>
      <form method="post" action="${ENDPOINTS.accounts}">${hiddenFields({ csrf, query })} ${choice(accounts)}</form>`,
  });
}
