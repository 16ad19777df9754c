import { IDENTITY_SCOPES, MEMBER_SCOPES, SCOPES } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { Visitor } from '#src/account/visitors.js';
import type { OAuthClient } from '#src/clients/client.js';
import type { Page } from '#src/pages/page.js';
import { APPLICATIONS, adminPage } from './admin.page.js';
import type { NewApplication } from './operator-actions.js';

function application({ name, client_id, secret_hash, redirect_uris, scopes }: OAuthClient, csrf: string): Html {
  return html`<h2>${name}</h2>
    <dl>
      <dt class="quiet">client_id</dt>
      <dd><code>${client_id}</code></dd>
      <dt class="quiet">Kind</dt>
      <dd>${secret_hash === null ? 'public' : 'confidential'}</dd>
      <dt class="quiet">Redirect URIs</dt>
      <dd class="host">${redirect_uris.join(', ')}</dd>
      <dt class="quiet">Scopes</dt>
      <dd><code>${scopes.join(' ')}</code></dd>
    </dl>
    <form method="post" action="${APPLICATIONS}/delete">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="client_id" value="${client_id}" />
      <button type="submit">Delete ${name}, and end all that it was given</button>
    </form>`;
}

function choice(scope: Scope, given: NewApplication | undefined): Html {
  const checked = given === undefined ? scope !== 'account:write' : given.scopes.includes(scope);
  return html`<label class="choice">
    <input type="checkbox" name="scope" value="${scope}" ${checked && html`checked`} />
    ${SCOPES[scope].words} (<code>${scope}</code>)
  </label>`;
}

function newApplication(csrf: string, given: NewApplication | undefined, fault: string | undefined): Html {
  return html`<h2>A new application</h2>
    ${fault && html`<p class="alarm" role="alert" id="fault">${fault}</p>`}
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
      <div class="actions"><button class="main" type="submit">Create</button></div>
    </form>`;
}

export function applicationsPage(
  { site, csrf }: Visitor,
  clients: readonly OAuthClient[],
  refused?: { readonly given: NewApplication; readonly fault: string },
): Page {
  const body = html`<p>Anybody with a role at this site can allow these applications, students included.</p>
    ${clients.length === 0 && html`<p>There are none yet.</p>`} ${clients.map((client) => application(client, csrf))}
    ${newApplication(csrf, refused?.given, refused?.fault)}`;
  return adminPage(site, 'OAuth applications', body, refused === undefined ? 200 : 422);
}

/** The one time that a secret can be read. */
export function createdPage({ site }: Visitor, client: OAuthClient & { client_secret?: string }): Page {
  const secret =
    client.client_secret !== undefined &&
    html`<dt class="quiet">client_secret, shown this once</dt>
      <dd class="host"><code id="client_secret">${client.client_secret}</code></dd>`;
  const body = html`<dl>
      <dt class="quiet">client_id</dt>
      <dd class="host"><code id="client_id">${client.client_id}</code></dd>
      ${secret}
    </dl>
    <p><a href="${APPLICATIONS}">All applications</a></p>`;
  return adminPage(site, `${client.name} was created`, body);
}
