import { phrase, say } from '@lyceum/messages';
import { hiddenFields, radios } from '@lyceum/pages';
import type { Choice, Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { confirmation } from '#src/accounts/confirmation.js';
import { timeAgo, timeLeft } from '#src/accounts/time-ago.js';
import type { OAuthClient } from '#src/clients/client.js';
import type { SecretOverlap } from '#src/clients/secret-overlap.policy.js';
import { CODE_CHALLENGE_METHODS } from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { randomToken } from '#src/secrets/digest.js';
import { connectsTools } from '#src/sites/site.js';
import { APPLICATIONS, adminPage } from './admin.page.js';
import { applicationSnippet } from './application-snippet.policy.js';
import { applicationPath, kindOf } from './application-words.js';
import { lastUse } from './applications.page.js';

/** A term with a text that the button beside it copies. */
const copyable = (term: string, text: string): Html =>
  html`<dt>${term}</dt>
    <dd class="host"><code data-copy>${text}</code></dd>`;

/** The values that a developer enters in a library. */
function connection({ site }: AccountContext, { client, secret }: ApplicationView): Html {
  const { base_url, settings } = site;
  const snippet = applicationSnippet(site, client, secret);
  const method = client.secret_hash === null ? 'none' : 'client_secret_post';
  const ofTools = client.audience === 'operator' && connectsTools({ settings });
  const link = html`<a href="${ENDPOINTS.guide}">${say('application.guide')}</a>`;
  return html`<h2>${say('application.connect')}</h2>
    <p>${phrase('application.connect_lead', { link })}</p>
    <dl>
      ${copyable(say('application.issuer'), base_url)}
      ${copyable(say('application.discovery'), `${base_url}${ENDPOINTS.openidConfiguration}`)}
      ${copyable(say('application.authorization_endpoint'), `${base_url}${ENDPOINTS.authorization}`)}
      ${copyable(say('application.token_endpoint'), `${base_url}${ENDPOINTS.token}`)}
      ${copyable(say('application.userinfo_endpoint'), `${base_url}${ENDPOINTS.userinfo}`)}
      ${copyable(say('application.token_method'), method)}
      ${copyable('PKCE (code_challenge_method)', CODE_CHALLENGE_METHODS[0])} ${copyable('resource', base_url)}
      ${ofTools && copyable(say('application.tool_endpoint'), `${base_url}/mcp`)}
    </dl>
    ${
      snippet !== undefined &&
      html`<h3>${say('application.snippet')}</h3>
        <p>${say('application.snippet_text')}</p>
        <pre data-copy id="snippet">${snippet}</pre>`
    }`;
}

/** The button that opens a page of the application. */
const opens = (client: OAuthClient, page: string, button: string, isEnd = false): Html =>
  html`<form method="get" action="${applicationPath(client.client_id)}/${page}">
    <button ${isEnd && html`class="end"`} type="submit">${button}</button>
  </form>`;

function secrets(client: OAuthClient, secret: string | undefined): Html | undefined {
  if (client.secret_hash === null) return undefined;
  const until = client.previous_secret_until;
  return html`<h2>${say('secret.title')}</h2>
    ${
      until !== null &&
      html`<p class="notice">${phrase('secret.two_valid', { when: timeLeft(until) })}</p>
        ${opens(client, 'end-secret', say('secret.end_now'), true)}`
    }
    <dl>
      <dt>client_secret</dt>
      <dd class="host">
        ${secret === undefined ? say('secret.shown_once') : html`<code data-copy id="client_secret">${secret}</code>`}
      </dd>
    </dl>
    ${opens(client, 'rotate', say('secret.rotate'))}`;
}

export interface ApplicationView {
  readonly client: OAuthClient;
  /** Only on the first page after its creation or rotation. */
  readonly secret?: string | undefined;
}

export function applicationPage(context: AccountContext, { client, secret }: ApplicationView): Page {
  const { client_id, name, redirect_uris, post_logout_redirect_uris, scopes, compatibility_mode } = client;
  const none = say('list.none');
  const body = html`${secret !== undefined && html`<p class="notice">${say('secret.keep')}</p>`}
    <p>${say(`application.who_${kindOf(client)}`)}</p>
    <dl>
      <dt>client_id</dt>
      <dd class="host"><code data-copy id="client_id">${client_id}</code></dd>
      <dt>${say('application.kind')}</dt>
      <dd>${say(client.secret_hash === null ? 'application.is_public' : 'application.is_confidential')}</dd>
      <dt>${say('application.created')}</dt>
      <dd>${timeAgo(client.created_at)}</dd>
      <dt>${say('list.last_use')}</dt>
      <dd>${lastUse(client.last_used_at)}</dd>
      <dt>${say('application.redirect_uris')}</dt>
      <dd class="host">${redirect_uris.map((uri) => html`<div><code>${uri}</code></div>`)}</dd>
      <dt>${say('application.post_logout')}</dt>
      <dd class="host">
        ${post_logout_redirect_uris.length === 0 ? none : post_logout_redirect_uris.map((uri) => html`<div><code>${uri}</code></div>`)}
      </dd>
      <dt>${say('application.compatibility')}</dt>
      <dd>${say(compatibility_mode ? 'settings.state_on' : 'settings.state_off')}</dd>
      <dt>${say('application.may')}</dt>
      <dd>
        <ul>
          ${scopes.map((scope) => html`<li>${say(`scope.${scope}`)} (<code>${scope}</code>)</li>`)}
        </ul>
      </dd>
    </dl>
    ${opens(client, 'edit', say('application.edit'))} ${secrets(client, secret)}
    ${connection(context, { client, secret })}
    <h2>${say('application.delete')}</h2>
    ${opens(client, 'delete', say('application.delete_named', { name }), true)}
    <p><a href="${APPLICATIONS}">${say('application.all')}</a></p>`;
  return adminPage(context, { path: APPLICATIONS, title: name, body });
}

export function deleteApplicationPage(context: AccountContext, { client_id, name }: OAuthClient): Page {
  const body = confirmation({
    effect: say('application.delete_effect'),
    action: `${APPLICATIONS}/delete`,
    hidden: { csrf: context.csrf, client_id },
    button: say('application.delete_button'),
    back: applicationPath(client_id),
  });
  return adminPage(context, { path: APPLICATIONS, title: say('application.delete_question', { name }), body });
}

const OVERLAPS = ['1h', '24h', '7d', 'none'] as const satisfies readonly SecretOverlap[];
const overlaps = (): Choice[] => OVERLAPS.map((value) => ({ value, words: say(`secret.overlap_${value}`) }));

export function rotateSecretPage(context: AccountContext, client: OAuthClient): Page {
  const { client_id, name, previous_secret_hash } = client;
  // The token makes two submissions of this form rotate once.
  const hidden = { csrf: context.csrf, application: client_id, form: randomToken() };
  const body = html`<p>${say('secret.rotate_lead')}</p>
    ${previous_secret_hash !== null && html`<p class="notice">${say('secret.rotate_running')}</p>`}
    <form method="post" action="${APPLICATIONS}/rotate">
      ${hiddenFields(hidden)}
      ${radios({ name: 'overlap', label: say('secret.old_ends'), choices: overlaps(), chosen: ['24h'] })}
      <div class="actions"><button class="main" type="submit">${say('secret.rotate')}</button></div>
    </form>
    <p><a href="${applicationPath(client_id)}">${say('form.cancel')}</a></p>`;
  return adminPage(context, { path: APPLICATIONS, title: say('secret.rotate_named', { name }), body });
}

export function endSecretPage(context: AccountContext, { client_id, name }: OAuthClient): Page {
  const body = confirmation({
    effect: say('secret.end_effect'),
    action: `${APPLICATIONS}/end-secret`,
    hidden: { csrf: context.csrf, application: client_id },
    button: say('secret.end_button'),
    back: applicationPath(client_id),
  });
  return adminPage(context, { path: APPLICATIONS, title: say('secret.end_question', { name }), body });
}
