import { SCOPES, isScope } from '@lyceum/contracts';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ConnectedApplication } from '#src/applications/connected-application.js';
import { signInResponse, signInForm } from '#src/sign-ins/sign-in.form.js';
import type { SignInError } from '#src/sign-ins/sign-in.form.js';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { relyingPartyId } from '#src/passkeys/passkey.policy.js';
import { ACCOUNT, PASSKEYS, PASSWORD_CHANGE, PROFILE } from '#src/protocol/paths.js';
import type { LiveSession } from '#src/provider/live-session.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';

export interface AccountSignInView {
  readonly csrf: string;
  /** The path to continue at after the sign-in. */
  readonly next: string;
  readonly email?: string;
  readonly error?: SignInError;
  readonly passkeyRequest: object | undefined;
}

export function accountSignInPage(site: SiteRecord, view: AccountSignInView): Page {
  const { csrf, next, email = '', error, passkeyRequest } = view;
  return page(site, {
    title: 'Sign in',
    ...signInResponse({ error, passkeyRequest }),
    body: html`<h1>Sign in</h1>
      ${signInForm({ action: `${ACCOUNT}/sign-in`, hidden: { csrf, next }, email, error, passkeyRequest })}`,
  });
}

function application({ client_key, name, scopes, unverified, connected_at }: ConnectedApplication, csrf: string): Html {
  const words = scopes.filter(isScope).map((scope) => html`<li>${SCOPES[scope].words}</li>`);
  return html`<div class="item">
    <h3>${name}</h3>
    ${unverified && html`<p class="notice">This application is <strong>unverified</strong>.</p>`}
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

/** The same authorization saves a sign-in more than once. Saves within this time do not count as use. */
const SIGNING_IN_MS = 60_000;
const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const time = (at: Date): Html => html`<time datetime="${at.toISOString()}">${minute(at)}</time>`;

function browser({ uid, began_at, used_at }: LiveSession, { csrf, session }: AccountContext): Html {
  const own = uid === session.uid;
  const usedSince = used_at.getTime() - began_at.getTime() >= SIGNING_IN_MS;
  return html`<div class="item">
    <h3>${own ? 'This browser' : 'Another browser'}</h3>
    <p class="quiet">
      Signed in on ${time(began_at)}${!own && usedSince && html`, last used for an application on ${time(used_at)}`}.
    </p>
    <form method="post" action="${ACCOUNT}/end-session">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="session" value="${uid}" />
      <button class="end" type="submit">
        ${own ? 'Sign out of this browser' : `Sign out of the browser of ${minute(began_at)}`}
      </button>
    </form>
  </div>`;
}

export function accountPage(
  context: AccountContext,
  connected: readonly ConnectedApplication[],
  live: readonly LiveSession[],
): Page {
  const { site, person, csrf } = context;
  const isOperator = person.roles.includes('owner') || person.roles.includes('admin');
  return page(site, {
    title: 'Your account',
    body: html`<h1>Your account</h1>
      <p>You are signed in as ${person.name} (${person.email}).</p>
      <p><a href="${PROFILE}">Your profile at ${site.name}</a></p>
      ${isOperator && html`<p><a href="/admin">Admin area</a></p>`}
      <h2>Connected applications</h2>
      ${connected.length === 0 && html`<p>None. An application that you allow at this site is shown here.</p>`}
      ${connected.map((one) => application(one, csrf))}
      <h2>Where you are signed in</h2>
      <p>Browsers at ${site.name}. Signing out of one leaves your applications connected.</p>
      ${live.map((one) => browser(one, context))}
      <h2>Signing in and out</h2>
      <p><a href="${PASSWORD_CHANGE}">Change your password</a></p>
      ${relyingPartyId(site) !== undefined && html`<p><a href="${PASSKEYS}">Your passkeys</a></p>`}
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

/** Shown for a foreign form, an ended session, and a page that was left open. */
export function staleFormPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Nothing was done',
    status: 403,
    body: html`<h1>Nothing was done</h1>
      <p class="alarm" role="alert">The form did not come from a page of this session.</p>
      <p>You may have signed out, or signed in again in another window.</p>
      <p><a href="${ACCOUNT}">Continue to your account</a></p>`,
  });
}
