import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { timeAgo } from '#src/accounts/time-ago.js';
import type { OAuthClient } from '#src/clients/client.js';
import type { PageClients } from '#src/clients/page-client.policy.js';
import { APPLICATIONS, NEW_APPLICATION, adminPage } from './admin.page.js';
import { applicationPath, kindOf } from './application-words.js';
import { APPLICATION_KINDS } from './application.policy.js';
import type { ApplicationKind } from './application.policy.js';
import { addressWith } from './list-query.js';
import { pageApplications } from './page-applications.section.js';

/** The time of the last token. */
export const lastUse = (at: Date | null): Html => (at === null ? html`${say('list.never')}` : timeAgo(at));

function item(client: OAuthClient): Html {
  const { client_id, name, secret_hash, last_used_at, previous_secret_hash } = client;
  return html`<div class="item">
    <h3>
      <a href="${applicationPath(client_id)}">${name}</a>
      <span class="badge">${say(secret_hash === null ? 'application.public' : 'application.confidential')}</span>
      ${previous_secret_hash !== null && html`<span class="badge warn">${say('application.two_secrets')}</span>`}
    </h3>
    <dl>
      <dt>client_id</dt>
      <dd class="host"><code>${client_id}</code></dd>
      <dt>${say('list.last_use')}</dt>
      <dd>${lastUse(last_used_at)}</dd>
    </dl>
  </div>`;
}

function group(kind: ApplicationKind, clients: readonly OAuthClient[]): Html | undefined {
  const own = clients.filter((client) => kindOf(client) === kind);
  if (own.length === 0) return undefined;
  return html`<section>
    <h2>${say(`application.kind_${kind}`)}</h2>
    <p>${say(`application.who_${kind}`)}</p>
    ${own.map(item)}
  </section>`;
}

export interface ApplicationList {
  readonly clients: readonly OAuthClient[];
  /** Older ones exist. */
  readonly more: boolean;
  /** The last client of the page before; null on the first page. */
  readonly after: string | null;
  /** On the first page. */
  readonly ofPages: PageClients | undefined;
}

export function applicationsPage(context: AccountContext, { clients, more, after, ofPages }: ApplicationList): Page {
  const older = addressWith(APPLICATIONS, { after: clients.at(-1)?.client_key });
  const none = after === null ? say('application.none') : say('application.no_more');
  const body = html`<p><a class="button main" href="${NEW_APPLICATION}">${say('application.new')}</a></p>
    ${clients.length === 0 && html`<p class="empty">${none}</p>`}
    ${APPLICATION_KINDS.map((kind) => group(kind, clients) ?? html``)}
    ${more && html`<p><a rel="next" href="${older}">${say('application.older')}</a></p>`}
    ${after !== null && html`<p><a href="${APPLICATIONS}">${say('application.all')}</a></p>`}
    ${ofPages && pageApplications(context, ofPages)}`;
  return adminPage(context, { path: APPLICATIONS, title: say('admin.applications'), body });
}
