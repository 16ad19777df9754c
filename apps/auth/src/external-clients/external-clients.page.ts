import { phrase, say } from '@lyceum/messages';
import { filterForm, hiddenFields, initialOf, select, textField } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { confirmation } from '#src/accounts/confirmation.js';
import { timeAgo } from '#src/accounts/time-ago.js';
import { CLIENTS, CLIENT_HOSTS, SETTINGS, adminPage } from '#src/admin-area/admin.page.js';
import { addressWith } from '#src/admin-area/list-query.js';
import type { Review } from '#src/clients/client.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import { EXTERNAL_SOURCES, REVIEWS, approvalBase, permitsReview } from './external-client.js';
import type { ExternalClient, ExternalClientFilter, ExternalSource } from './external-client.js';
import { MOST_COUNTED } from './external-clients.service.js';
import type { ExternalClientPage } from './external-clients.service.js';

const originOf = (source: ExternalSource): string =>
  say(source === 'document' ? 'client.document' : 'client.registered');

/** The meaning of a state, by source. */
function meaningOf({ source, review }: ExternalClient): string {
  if (review === 'blocked') return say('client.is_blocked');
  if (source === 'loopback') return say('client.is_registered');
  return say(review === 'approved' ? 'client.is_approved' : 'client.is_unreviewed');
}

const badge = (review: Review): Html =>
  html`<span class="badge ${review === 'blocked' ? 'bad' : review === 'unreviewed' ? 'warn' : ''}"
    >${say(`client.${review}`)}</span
  >`;

export const clientPath = (clientKey: string): string => `${CLIENTS}/${clientKey}`;

function item({ client_key, client_id, name, source, review, last_used_at }: ExternalClient): Html {
  const origin = originOf(source);
  const use =
    last_used_at === null
      ? say('client.origin_unused', { origin })
      : phrase('client.origin_used', { origin, when: timeAgo(last_used_at) });
  return html`<li class="row">
    <span class="tile" data-initial="${initialOf(name)}" aria-hidden="true"></span>
    <div class="name">
      <h2>
        <a href="${clientPath(client_key)}"><bdi>${name}</bdi></a>
      </h2>
      <p class="quiet small host">${client_id}</p>
      <p class="quiet small">${use}</p>
    </div>
    ${badge(review)}
  </li>`;
}

function filters({ text, source, review }: ExternalClientFilter): Html {
  const origins = EXTERNAL_SOURCES.map((value) => ({ value, words: originOf(value) }));
  const states = REVIEWS.map((value) => ({ value, words: say(`client.${value}`) }));
  const every = { value: '', words: say('client.every_origin') };
  const any = { value: '', words: say('list.every_state') };
  return filterForm(CLIENTS, [
    textField({ name: 'q', label: say('client.search'), type: 'search', value: text }),
    select({ name: 'source', label: say('client.origin'), choices: [every, ...origins], chosen: source ?? '' }),
    select({ name: 'state', label: say('list.state'), choices: [any, ...states], chosen: review ?? '' }),
  ]);
}

function waitingLine(waiting: number): Html | undefined {
  if (waiting === 0) return undefined;
  const count = Math.min(waiting, MOST_COUNTED);
  const words = say(waiting > MOST_COUNTED ? 'client.waiting_more' : 'client.waiting', { count });
  const address = addressWith(CLIENTS, { source: 'document', state: 'unreviewed' });
  return html`<p class="notice"><a href="${address}">${words}</a></p>`;
}

export function externalClientsPage(
  context: AccountContext,
  filter: ExternalClientFilter,
  { clients, more, waiting }: ExternalClientPage,
): Page {
  const { text, source, review } = filter;
  const after = clients.at(-1)?.client_key;
  const isFiltered = text !== '' || source !== undefined || review !== undefined;
  const hosts = html`<a href="${CLIENT_HOSTS}">${say('hosts.title')}</a>`;
  const settings = html`<a href="${SETTINGS}">${say('client.who_registers')}</a>`;
  const body = html`<p class="lead">${say('client.lead')}</p>
    <p class="tools">${hosts} ${settings}</p>
    ${waitingLine(waiting)} ${filters(filter)}
    ${isFiltered && html`<p class="tools"><a href="${CLIENTS}">${say('client.show_all')}</a></p>`}
    ${clients.length === 0 && html`<p class="empty">${say(isFiltered ? 'client.no_match' : 'client.none')}</p>`}
    ${
      clients.length > 0 &&
      html`<ul class="rows">
        ${clients.map(item)}
      </ul>`
    }
    ${more && html`<p><a rel="next" href="${addressWith(CLIENTS, { q: text, source, state: review, after })}">${say('client.older')}</a></p>`}`;
  return adminPage(context, { path: CLIENTS, title: say('admin.clients'), body });
}

/** Reviews that end access, with their words. They are confirmed first. */
const ENDING = { blocked: 'block', unreviewed: 'withdraw' } as const;
export type EndingReview = keyof typeof ENDING;
export const isEndingReview = (review: unknown): review is EndingReview =>
  typeof review === 'string' && Object.hasOwn(ENDING, review);

function send(client: ExternalClient, review: Review, button: string, csrf: string): Html | false {
  const base = review === 'approved' ? approvalBase(client) : undefined;
  return (
    permitsReview(client.source, review) &&
    html`<form method="post" action="${CLIENTS}">
      ${hiddenFields({ csrf, client: client.client_key, [FORM_BASE]: base })}
      <button ${review === 'approved' && html`class="main"`} type="submit" name="review" value="${review}">
        ${button}
      </button>
    </form>`
  );
}

const ask = ({ client_key }: ExternalClient, review: EndingReview): Html =>
  html`<form method="get" action="${clientPath(client_key)}/review">
    ${hiddenFields({ to: review })}
    <button class="end" type="submit">${say(`client.${ENDING[review]}`)}</button>
  </form>`;

/** `isStale`: the client changed after the page of a refused approval was shown. */
export function externalClientPage(
  context: AccountContext,
  client: ExternalClient,
  { isStale = false }: { readonly isStale?: boolean } = {},
): Page {
  const { client_id, name, source, review, redirect_uris, created_at, last_used_at } = client;
  const { csrf } = context;
  const body = html`${isStale && html`<p class="alarm" role="alert">${say('client.stale')}</p>`}
    <p>${badge(review)} ${meaningOf(client)}</p>
    <dl>
      <dt>${source === 'document' ? say('client.published_at') : 'client_id'}</dt>
      <dd class="host"><code data-copy>${client_id}</code></dd>
      <dt>${say('client.origin')}</dt>
      <dd>${originOf(source)}</dd>
      <dt>${say('client.sends_to')}</dt>
      <dd class="host">${redirect_uris.map((uri) => html`<div><code>${uri}</code></div>`)}</dd>
      <dt>${say('client.first_seen')}</dt>
      <dd>${timeAgo(created_at)}</dd>
      <dt>${say('list.last_use')}</dt>
      <dd>${last_used_at === null ? say('list.never') : timeAgo(last_used_at)}</dd>
    </dl>
    ${
      source === 'loopback' &&
      html`<p class="quiet">
        ${phrase('client.registered_hint', { settings: html`<a href="${SETTINGS}">${say('admin.settings')}</a>` })}
      </p>`
    }
    <div class="actions">
      ${review === 'unreviewed' && send(client, 'approved', say('client.approve'), csrf)}
      ${review === 'blocked' && send(client, 'unreviewed', say('client.unblock'), csrf)}
      ${review === 'approved' && ask(client, 'unreviewed')} ${review !== 'blocked' && ask(client, 'blocked')}
    </div>
    <p>
      <a href="${addressWith('/admin/audit', { client: client_id })}">${say('client.audit')}</a> ·
      <a href="${CLIENTS}">${say('client.all')}</a>
    </p>`;
  return adminPage(context, { path: CLIENTS, title: name, body, status: isStale ? 412 : 200 });
}

export function confirmReviewPage(
  context: AccountContext,
  { client_key, client_id, name, source }: ExternalClient,
  review: EndingReview,
): Page {
  const act = ENDING[review];
  // A registered client that is blocked can register again.
  const effect = say(act === 'block' && source === 'loopback' ? 'client.block_registered' : `client.${act}_effect`);
  const hidden = { csrf: context.csrf, client: client_key, review };
  const question = { effect, action: CLIENTS, hidden, button: say(`client.${act}`), back: clientPath(client_key) };
  const body = html`<p class="host">${client_id}</p>
    ${confirmation(question)}`;
  return adminPage(context, { path: CLIENTS, title: say(`client.${act}_question`, { name }), body });
}
