import { SCOPES } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { OAuthClient } from '#src/clients/client.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { PendingInteraction } from '#src/provider/open-interaction.js';
import type { Grantable } from '#src/scopes/grantable.policy.js';

export interface ConsentView {
  readonly pending: PendingInteraction;
  readonly client: OAuthClient;
  readonly person: { readonly name: string; readonly email: string };
  readonly grantable: Grantable;
  readonly csrf: string;
  readonly forged?: boolean;
}

/** The host of the redirect URI, or its scheme for an app on the device. */
function destination(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  return url === null || url.host === '' ? redirectUri : url.host;
}

function list(title: string, kind: 'read' | 'write', scopes: readonly Scope[]): Html | undefined {
  if (scopes.length === 0) return undefined;
  return html`<section class="scopes ${kind}">
    <h2>${title}</h2>
    <ul>
      ${scopes.map((scope) => html`<li>${SCOPES[scope].words}</li>`)}
    </ul>
  </section>`;
}

function account({ pending, person, csrf }: ConsentView): Html {
  return html`<form method="post" action="${`${ENDPOINTS.interaction}/${pending.uid}/switch`}">
    <input type="hidden" name="csrf" value="${csrf}" />
    <p class="quiet">
      You are signed in as ${person.name} (${person.email}).
      <button class="link" type="submit">Not you? Use another account</button>
    </p>
  </form>`;
}

/** The source of the client's name; nothing for a client of the site or the deployment. */
function origin(client: OAuthClient, redirectUri: string): Html | undefined {
  if (client.source === 'loopback') {
    return html`<p class="notice">
      This application registered itself and is <strong>unverified</strong>. Allow it only if you started it.
    </p>`;
  }
  if (client.source === 'platform' && !redirectUri.startsWith('https:')) {
    return html`<p class="notice">
      It claims to run on your device, which is <strong>unverified</strong>. Allow it only if you started it.
    </p>`;
  }
  if (client.source !== 'document') return undefined;
  const host = html`<strong class="host">${destination(client.client_id)}</strong>`;
  if (client.review === 'approved') return html`<p>The name of this application was published at ${host}.</p>`;
  return html`<p class="notice">
    This application is <strong>unverified</strong>: this site has not reviewed it. Its name was published at ${host}.
    Allow it only if you know that address.
  </p>`;
}

function question(view: ConsentView, granted: readonly Scope[], withheld: readonly Scope[]): Html {
  const { pending, client, csrf } = view;
  return html`<h1>Allow ${client.name} at ${pending.site.name}?</h1>
    ${view.forged && html`<p class="alarm" role="alert">The form did not come from this page. Decide again.</p>`}
    ${origin(client, pending.redirect_uri)}
    <p>It will send you to <strong class="host">${destination(pending.redirect_uri)}</strong>, and will be able to:</p>
    ${list(
      'Read',
      'read',
      granted.filter((scope) => SCOPES[scope].access === 'read'),
    )}
    ${list(
      'Change',
      'write',
      granted.filter((scope) => SCOPES[scope].access === 'write'),
    )}
    ${
      withheld.length > 0 &&
      html`<p class="quiet">
        It also requested more than your role at this site allows. Those permissions are not granted.
      </p>`
    }
    <form method="post" action="${`${ENDPOINTS.interaction}/${pending.uid}/consent`}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="shown" value="${granted.join(' ')}" />
      <div class="actions">
        <button class="main" type="submit" name="decision" value="approve">Allow</button>
        <button type="submit" name="decision" value="deny">Do not allow</button>
      </div>
    </form>`;
}

function refusal({ pending, client, csrf }: ConsentView): Html {
  const who =
    client.audience === 'operator'
      ? 'Only owners and admins of this site can allow it. Lecturers can allow it to see and change their own courses, and to see the students in them.'
      : 'Only people with a role at this site can allow it.';
  return html`<h1>You cannot allow ${client.name}</h1>
    <p class="alarm" role="alert">${who}</p>
    <form method="post" action="${`${ENDPOINTS.interaction}/${pending.uid}/consent`}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <div class="actions"><button class="main" type="submit" name="decision" value="deny">Go back</button></div>
    </form>`;
}

export function consentPage(view: ConsentView): Page {
  const { pending, client, grantable } = view;
  const body = grantable.allowed ? question(view, grantable.granted, grantable.withheld) : refusal(view);
  return page(pending.site, {
    title: grantable.allowed ? `Allow ${client.name}` : `You cannot allow ${client.name}`,
    formTarget: pending.redirect_uri,
    status: view.forged === true ? 403 : 200,
    body: html`${body}${account(view)}`,
  });
}
