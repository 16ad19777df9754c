import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { ApplicationsPage, ConnectedApplication } from '#src/applications/connected-application.js';
import { signInResponse, signInForm } from '#src/sign-ins/sign-in.form.js';
import type { PasskeyOffer, SignInError } from '#src/sign-ins/sign-in.form.js';
import { waysIn } from '#src/sign-ins/ways-in.policy.js';
import { page } from '#src/pages/page.js';
import { relyingPartyId } from '#src/passkeys/passkey.policy.js';
import {
  ACCOUNT,
  DATA_EXPORT,
  EMAIL_CHANGE,
  LEAVING,
  PASSKEYS,
  PASSWORD_CHANGE,
  PROFILE,
} from '#src/protocol/paths.js';
import type { ActiveSession } from '#src/provider/browser-state/active-session.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';
import { applicationItem } from './application-item.js';
import { askFirst, confirmation } from './confirmation.js';
import { noticeLine } from '#src/notices/notices.js';
import type { Notice } from '#src/notices/notices.js';
import { timeAgo } from './time-ago.js';
import { browserName } from '#src/devices/user-agent.policy.js';

export interface AccountSignInView {
  readonly csrf: string;
  /** The path to continue at after the sign-in. */
  readonly next: string;
  readonly email?: string;
  readonly error?: SignInError;
  readonly passkeyRequest: PasskeyOffer | undefined;
  readonly notice: Notice | undefined;
}

export function accountSignInPage(site: SiteRecord, view: AccountSignInView): Page {
  const { csrf, next, email = '', error, passkeyRequest, notice } = view;
  return page(site, {
    title: say('sign_in.title'),
    ...signInResponse({ error, passkeyRequest }),
    body: html`${noticeLine(notice)}
      <h1>${say('sign_in.title')}</h1>
      <p class="lead">${phrase('sign_in.to_continue', { client: html`<strong><bdi>${site.name}</bdi></strong>` })}</p>
      ${signInForm({
        action: `${ACCOUNT}/sign-in`,
        hidden: { csrf, next },
        email,
        error,
        passkeyRequest,
        more: waysIn(site, ACCOUNT),
      })}`,
  });
}

/** The same authorization saves a sign-in more than once. Saves within this time do not count as use. */
const SIGNING_IN_MS = 60_000;

function browser({ uid, user_agent, began_at, used_at }: ActiveSession, { csrf, session }: AccountContext): Html {
  const own = uid === session.uid;
  const name = browserName(user_agent);
  const when = timeAgo(began_at);
  const signedIn = (): Html => {
    if (own && name !== undefined) return phrase('account.own_browser', { browser: name, when });
    const usedSince = used_at.getTime() - began_at.getTime() >= SIGNING_IN_MS;
    if (own || !usedSince) return phrase('account.signed_in', { when });
    return phrase('account.signed_in_used', { when, used: timeAgo(used_at) });
  };
  return html`<div class="item">
    <h3 id="session-${uid}">${own ? say('account.this_browser') : (name ?? say('account.another_browser'))}</h3>
    <p class="quiet">${signedIn()}</p>
    <form method="post" action="${ACCOUNT}/end-session">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="session" value="${uid}" />
      <button type="submit" aria-describedby="session-${uid}">${say('account.sign_out')}</button>
    </form>
  </div>`;
}

function applications({ applications: shown, number, more }: ApplicationsPage): Html {
  const link = (page: number, words: string): Html => html`<a href="${`${ACCOUNT}?page=${page}`}">${words}</a>`;
  return html`${
    shown.length === 0 &&
    html`<p class="empty">${say(number === 1 ? 'account.no_applications' : 'account.no_more_applications')}</p>`
  }
  ${shown.map(applicationItem)}
  ${
    (number > 1 || more) &&
    html`<p>
      ${number > 1 && link(number - 1, say('account.newer_applications'))}
      ${more && link(number + 1, say('account.older_applications'))}
    </p>`
  }`;
}

const row = (path: string, title: string | Html, text: string): Html =>
  html`<li class="row">
    <div class="name">
      <a href="${path}">${title}</a>
      <p class="quiet small">${text}</p>
    </div>
  </li>`;

export function accountPage(
  context: AccountContext,
  connected: ApplicationsPage,
  live: readonly ActiveSession[],
): Page {
  const { site, person } = context;
  const here = html`<bdi>${site.name}</bdi>`;
  const isOperator = person.roles.includes('owner') || person.roles.includes('admin');
  return page(site, {
    title: say('account.title'),
    body: html`${noticeLine(context.notice)}
      <h1>${say('account.title')}</h1>
      <p class="lead">
        ${phrase('account.lead', {
          name: html`<strong><bdi>${person.name}</bdi></strong>`,
          site: here,
          email: html`<bdi>${person.email}</bdi>`,
        })}
      </p>
      <ul class="rows">
        ${row(PROFILE, say('account.edit_profile'), say('account.profile_text'))}
        ${row(EMAIL_CHANGE, say('account.change_email'), say('account.email_text'))}
        ${row(PASSWORD_CHANGE, say('account.change_password'), say('account.password_text'))}
        ${relyingPartyId(site) !== undefined && row(PASSKEYS, say('account.passkeys'), say('account.passkeys_text'))}
        ${isOperator && row('/admin', say('account.admin'), say('account.admin_text'))}
      </ul>
      <h2>${say('account.applications')}</h2>
      ${applications(connected)}
      <h2>${say('account.sessions')}</h2>
      <p>${phrase('account.sessions_hint', { site: here })}</p>
      ${live.map((one) => browser(one, context))} ${askFirst(EVERYWHERE, {}, say('account.everywhere_all'))}
      <h2>${say('account.data')}</h2>
      <ul class="rows">
        ${row(DATA_EXPORT, say('account.download'), say('account.download_text'))}
        ${row(LEAVING, phrase('account.leave', { site: here }), say('account.leave_text'))}
      </ul>`,
  });
}

/** The page that asks before all sessions and grants end. */
const EVERYWHERE = `${ACCOUNT}/sign-out-everywhere`;

export function signOutEverywherePage({ site, csrf }: AccountContext): Page {
  return page(site, {
    title: say('account.everywhere_question'),
    body: html`<h1>${say('account.everywhere_question')}</h1>
      ${confirmation({
        effect: say('account.everywhere_effect'),
        action: `${ACCOUNT}/sign-out`,
        hidden: { csrf, where: 'everywhere' },
        button: say('account.everywhere'),
        back: ACCOUNT,
      })}`,
  });
}

export function disconnectPage({ site, csrf }: AccountContext, { client_key, name }: ConnectedApplication): Page {
  return page(site, {
    title: say('account.disconnect_question', { name }),
    body: html`<h1>${say('account.disconnect_question', { name })}</h1>
      ${confirmation({
        effect: say('account.disconnect_effect', { name, site: site.name }),
        action: `${ACCOUNT}/disconnect`,
        hidden: { csrf, application: client_key },
        button: say('account.disconnect'),
        back: ACCOUNT,
      })}`,
  });
}
