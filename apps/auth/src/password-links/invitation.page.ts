import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import type { PasskeyAnywhere } from '#src/passkeys/passkey.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { INVITATION_PATH, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { OpenLink } from './password-links.service.js';

export interface InvitationView extends OpenLink {
  /** Ids of the selected passkeys. */
  readonly keep: readonly string[];
  readonly csrf: string;
  /** Distinguishes the links that this browser has followed. */
  readonly link: string;
  readonly error?: string;
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

function keepable(site: SiteRecord, passkey: PasskeyAnywhere, keep: readonly string[]): Html {
  const { passkey_id, name, site_id, site_name, created_at, last_used_at } = passkey;
  const used = last_used_at === null ? 'not used yet' : `last used on ${day(last_used_at)}`;
  return html`<label class="choice">
    <input type="checkbox" name="keep" value="${passkey_id}" ${keep.includes(passkey_id) && html`checked`} />
    Keep ${name}${site_id !== site.site_id && ` (at ${site_name})`}, added on ${day(created_at)}, ${used}
  </label>`;
}

/** All passkeys are removed by default: a thief who knew the old password may have added one. */
function passkeyChoice(site: SiteRecord, { passkeys, keep }: InvitationView): Html | false {
  return (
    passkeys.length > 0 &&
    html`<fieldset>
      <legend>Your passkeys</legend>
      <p>Select the passkeys that are yours. The others are removed and no longer sign you in.</p>
      ${passkeys.map((one) => keepable(site, one, keep))}
    </fieldset>`
  );
}

export function invitationPage(site: SiteRecord, view: InvitationView): Page {
  const { email, csrf, link, error } = view;
  return page(site, {
    title: 'Set your password',
    status: error === undefined ? 200 : 422,
    body: html`<h1>Set your password</h1>
      <p>for <strong>${email}</strong> at ${site.name}</p>
      ${error && html`<p class="alarm" role="alert" id="error">${error}</p>`}
      <form method="post" action="${INVITATION_PATH}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <input type="hidden" name="link" value="${link}" />
        <input type="hidden" name="username" value="${email}" autocomplete="username" />
        ${newPasswordField('Password', html`autofocus ${error && html`aria-describedby="error"`}`)}
        ${passkeyChoice(site, view)}
        <div class="actions"><button class="main" type="submit">Set password</button></div>
      </form>`,
  });
}

export function invitationDonePage(site: SiteRecord): Page {
  return page(site, {
    title: 'Your password is set',
    body: html`<h1>Your password is set</h1>
      <p>
        You can now sign in from any application of ${site.name}, or continue to <a href="/account">your account</a>.
      </p>`,
  });
}

export function invitationOverPage(site: SiteRecord): Page {
  return page(site, {
    title: 'This link is no longer valid',
    status: 404,
    body: html`<h1>This link is no longer valid</h1>
      <p>
        It was used, has expired, or was replaced by a newer one. If you opened it in another browser, open it there, or
        open it from the email again. You can also ask the people of ${site.name} for a new link, or
        <a href="${PASSWORD_RESET_PATH}">have one sent to you</a>.
      </p>`,
  });
}

export interface PasswordResetError {
  readonly status: 403 | 429;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function passwordResetPage(site: SiteRecord, csrf: string, error?: PasswordResetError): Page {
  return page(site, {
    title: 'Reset your password',
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>Reset your password</h1>
      <p>If the address belongs to a person at ${site.name}, we send an email with a link.</p>
      ${error && html`<p class="alarm" role="alert" id="error">${error.message}</p>`}
      <form method="post" action="${PASSWORD_RESET_PATH}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <label for="email">E-mail address</label>
        <input type="email" id="email" name="email" autocomplete="username" required autofocus />
        <div class="actions"><button class="main" type="submit">Send the link</button></div>
      </form>`,
  });
}

/** The same page for known and unknown addresses. */
export function passwordResetSentPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Check your email',
    body: html`<h1>Check your email</h1>
      <p>
        If the address belongs to a person at ${site.name}, we have sent a link. It works once, and for a short time.
      </p>`,
  });
}
