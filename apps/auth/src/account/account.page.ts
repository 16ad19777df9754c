import { SCOPES, isScope } from '@lyceum/contracts';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ConnectedApplication } from '#src/applications/connected-application.js';
import { PASSWORD_RESET_PATH } from '#src/invitations/invitation.page.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Visitor } from './visitors.js';

export const ACCOUNT = '/account';

export interface SignInForm {
  readonly csrf: string;
  /** Where it goes on. */
  readonly next: string;
  readonly email?: string;
  readonly fault?: { readonly status: 403 | 422 | 429; readonly words: string; readonly retryAfter?: number };
}

export function accountSignInPage(site: SiteRecord, { csrf, next, email = '', fault }: SignInForm): Page {
  return page(site, {
    title: 'Sign in',
    status: fault?.status ?? 200,
    ...(fault?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfter) } }),
    body: html`<h1>Sign in</h1>
      ${fault && html`<p class="alarm" role="alert" id="fault">${fault.words}</p>`}
      <form method="post" action="${ACCOUNT}/sign-in">
        <input type="hidden" name="csrf" value="${csrf}" />
        <input type="hidden" name="next" value="${next}" />
        <label for="email">E-mail address</label>
        <input
          type="email"
          id="email"
          name="email"
          value="${email}"
          autocomplete="username"
          required
          autofocus
          ${fault && html`aria-describedby="fault"`}
        />
        <label for="password">Password</label>
        <input
          type="password"
          id="password"
          name="password"
          autocomplete="current-password"
          required
          ${fault && html`aria-describedby="fault"`}
        />
        <div class="actions"><button class="main" type="submit">Sign in</button></div>
      </form>
      <p><a href="${PASSWORD_RESET_PATH}">Forgotten your password?</a></p>`,
  });
}

function application({ client_key, name, scopes, connected_at }: ConnectedApplication, csrf: string): Html {
  const words = scopes.filter(isScope).map((scope) => html`<li>${SCOPES[scope].words}</li>`);
  return html`<div class="item">
    <h3>${name}</h3>
    <p class="quiet">
      ${connected_at === null ? 'Allowed, not connected now' : `Connected on ${connected_at.toISOString().slice(0, 10)}`}.
      It can:
    </p>
    <ul>
      ${words}
    </ul>
    <form method="post" action="${ACCOUNT}/disconnect">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="application" value="${client_key}" />
      <button class="end" type="submit">Disconnect ${name}</button>
    </form>
  </div>`;
}

export function accountPage({ site, person, csrf }: Visitor, connected: readonly ConnectedApplication[]): Page {
  const isOperator = person.roles.includes('owner') || person.roles.includes('admin');
  return page(site, {
    title: 'Your account',
    body: html`<h1>Your account</h1>
      <p>You are signed in as ${person.name} (${person.email}).</p>
      ${isOperator && html`<p><a href="/admin">Admin area</a></p>`}
      <h2>Connected applications</h2>
      ${connected.length === 0 && html`<p>None. An application that you allow at this site is shown here.</p>`}
      ${connected.map((one) => application(one, csrf))}
      <h2>Signing in and out</h2>
      <p><a href="${PASSWORD_RESET_PATH}">Set another password</a></p>
      <form method="post" action="${ACCOUNT}/sign-out">
        <input type="hidden" name="csrf" value="${csrf}" />
        <div class="actions">
          <button type="submit" name="where" value="here">Sign out</button>
          <button class="end" type="submit" name="where" value="everywhere">
            Sign out everywhere, and disconnect all applications
          </button>
        </div>
      </form>`,
  });
}

/** The same for a form from elsewhere, a session that has ended, and a page that was left open. */
export function staleFormPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Nothing was done',
    status: 403,
    body: html`<h1>Nothing was done</h1>
      <p class="alarm" role="alert">The form did not come from a page of this session.</p>
      <p>You may have signed out meanwhile, or signed in once more in another window.</p>
      <p><a href="${ACCOUNT}">Go on to your account</a></p>`,
  });
}
