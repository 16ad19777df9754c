import { IDENTITY_SCOPES, MEMBER_SCOPES, SCOPES } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { OAuthClient } from '#src/clients/client.js';
import type { Page } from '#src/pages/page.js';
import { APPLICATIONS, adminPage } from './admin.page.js';
import type { NewApplication } from './admin-actions.js';

function compatibility(checked: boolean): Html {
  return html`<label class="choice">
    <input type="checkbox" name="compatibility_mode" value="yes" ${checked && html`checked`} />
    <span>
      Compatibility: accept a missing <code>state</code>, and a missing <code>resource</code> at the token request. For
      libraries that cannot send them.
    </span>
  </label>`;
}

function afterSignOut(id: string, uris: readonly string[]): Html {
  return html`<label for="${id}">Addresses after a sign-out, one a line (optional)</label>
    <textarea id="${id}" name="post_logout_redirect_uris" rows="2">${uris.join('\n')}</textarea>`;
}

function application(client: OAuthClient, csrf: string): Html {
  const { name, client_id, secret_hash, redirect_uris, scopes } = client;
  return html`<div class="item">
    <h2>${name}</h2>
    <dl>
      <dt>client_id</dt>
      <dd><code>${client_id}</code></dd>
      <dt>Kind</dt>
      <dd>${secret_hash === null ? 'public' : 'confidential'}</dd>
      <dt>Redirect URIs</dt>
      <dd class="host">${redirect_uris.join(', ')}</dd>
      <dt>Scopes</dt>
      <dd><code>${scopes.join(' ')}</code></dd>
    </dl>
    <form method="post" action="${APPLICATIONS}/change">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="application" value="${client_id}" />
      ${afterSignOut(`after-${client_id}`, client.post_logout_redirect_uris)}
      ${compatibility(client.compatibility_mode)}
      <button type="submit">Save the options of ${name}</button>
    </form>
    <form method="post" action="${APPLICATIONS}/delete">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="client_id" value="${client_id}" />
      <button class="end" type="submit">Delete ${name}, and end all that it was given</button>
    </form>
  </div>`;
}

function choice(scope: Scope, given: NewApplication | undefined): Html {
  const checked = given === undefined ? scope !== 'account:write' : given.scopes.includes(scope);
  return html`<label class="choice">
    <input type="checkbox" name="scope" value="${scope}" ${checked && html`checked`} />
    <span>${SCOPES[scope].words} (<code>${scope}</code>)</span>
  </label>`;
}

function newApplication(csrf: string, given: NewApplication | undefined, error: string | undefined): Html {
  return html`<h2>A new application</h2>
    ${error && html`<p class="alarm" role="alert" id="error">${error}</p>`}
    <form method="post" action="${APPLICATIONS}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <label for="name">Name</label>
      <input type="text" id="name" name="name" value="${given?.name ?? ''}" required />
      <label for="redirect_uris">Redirect URIs, one a line</label>
      <textarea id="redirect_uris" name="redirect_uris" rows="3" required>
${given?.redirect_uris.join('\n') ?? ''}</textarea>
      <fieldset>
        <legend>It may</legend>
        ${[...IDENTITY_SCOPES, ...MEMBER_SCOPES].map((scope) => choice(scope, given))}
      </fieldset>
      <label for="kind">Kind</label>
      <select id="kind" name="kind">
        <option value="public">Public: an app, a script or a page, which can keep no secret</option>
        <option value="confidential" ${given?.confidential === true && html`selected`}>Confidential: a server</option>
      </select>
      ${afterSignOut('after', given?.post_logout_redirect_uris ?? [])}
      ${compatibility(given?.compatibility_mode === true)}
      <div class="actions"><button class="main" type="submit">Create</button></div>
    </form>`;
}

export function applicationsPage(
  { site, csrf }: AccountContext,
  clients: readonly OAuthClient[],
  refused?: { readonly given: NewApplication | undefined; readonly error: string },
): Page {
  const made = html`${clients.length === 0 && html`<p>No applications yet.</p>`}
  ${clients.map((client) => application(client, csrf))}`;
  const form = newApplication(csrf, refused?.given, refused?.error);
  // The refused form comes first: below a long list its error would not be seen.
  const body = html`<p>Every person with a role at this site can allow these applications, including students.</p>
    ${refused === undefined ? html`${made}${form}` : html`${form}${made}`}`;
  const status = refused === undefined ? 200 : 422;
  return adminPage(site, { path: APPLICATIONS, title: 'OAuth applications', body, status });
}

/** Shows the secret, which cannot be read again. */
export function createdPage({ site }: AccountContext, client: OAuthClient & { client_secret?: string }): Page {
  const secret =
    client.client_secret !== undefined &&
    html`<dt>client_secret</dt>
      <dd class="host"><code id="client_secret">${client.client_secret}</code></dd>`;
  const body = html`${secret && html`<p class="notice">Keep the secret now: it is shown this once.</p>`}
    <dl>
      <dt>client_id</dt>
      <dd class="host"><code id="client_id">${client.client_id}</code></dd>
      ${secret}
    </dl>
    <p><a href="${APPLICATIONS}">All applications</a></p>`;
  // The page has no link of its own in the navigation, because it is shown only once.
  return adminPage(site, { path: '', title: `${client.name} was created`, body });
}
