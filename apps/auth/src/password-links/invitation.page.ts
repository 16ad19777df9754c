import { dayOf, phrase, say } from '@lyceum/messages';
import { accountField, field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { inRequestedLanguage } from '#src/edge/reader.js';
import { page } from '#src/pages/page.js';
import type { PasskeyAnywhere } from '#src/passkeys/passkey.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { ACCOUNT, INVITATION_PATH, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
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

function keepable(site: SiteRecord, passkey: PasskeyAnywhere, keep: readonly string[]): Html {
  const { passkey_id, name, site_id, site_name, created_at, last_used_at } = passkey;
  const words = { name, added: dayOf(created_at), used: last_used_at === null ? 'never' : dayOf(last_used_at) };
  return html`<label class="choice">
    <input type="checkbox" name="keep" value="${passkey_id}" ${keep.includes(passkey_id) && html`checked`} />
    ${site_id === site.site_id ? say('set_password.keep', words) : say('set_password.keep_elsewhere', { ...words, site: site_name })}
  </label>`;
}

/** All passkeys are removed by default: a thief who knew the old password may have added one. */
function passkeyChoice(site: SiteRecord, { passkeys, keep }: InvitationView): Html | false {
  return (
    passkeys.length > 0 &&
    html`<fieldset>
      <legend>${say('set_password.passkeys')}</legend>
      <p>${say('set_password.select_passkeys')}</p>
      ${passkeys.map((one) => keepable(site, one, keep))}
    </fieldset>`
  );
}

export function invitationPage(site: SiteRecord, view: InvitationView): Page {
  const { email, csrf, link, error } = view;
  return page(site, {
    title: say('set_password.title'),
    narrow: true,
    status: error === undefined ? 200 : 422,
    body: html`<h1>${say('set_password.title')}</h1>
      <p class="lead">
        ${phrase('set_password.lead', {
          email: html`<strong><bdi>${email}</bdi></strong>`,
          site: html`<bdi>${site.name}</bdi>`,
        })}
      </p>
      <form method="post" action="${INVITATION_PATH}">
        ${hiddenFields({ csrf, link })} ${accountField(email)}
        ${newPasswordField(say('form.password'), error === undefined && html`autofocus`, error)}
        ${passkeyChoice(site, view)}
        <div class="actions"><button class="main" type="submit">${say('set_password.button')}</button></div>
      </form>`,
  });
}

/** `isSignedIn`: false for a person who may not use the site. */
export function invitationDonePage(site: SiteRecord, isSignedIn: boolean): Page {
  return page(site, {
    title: say('password_set.title'),
    narrow: true,
    body: html`<h1>${say('password_set.title')}</h1>
      ${
        isSignedIn
          ? html`<p>${phrase('password_set.signed_in', { site: html`<bdi>${site.name}</bdi>` })}</p>
              <div class="actions">
                <a class="button main" href="${ACCOUNT}">${say('form.continue_to_account')}</a>
              </div>`
          : html`<p>${phrase('password_set.no_access', { site: html`<bdi>${site.name}</bdi>` })}</p>`
      }`,
  });
}

export function invitationOverPage(site: SiteRecord): Page {
  return page(site, {
    title: say('link.over'),
    narrow: true,
    status: 404,
    body: html`<h1>${say('link.over')}</h1>
      <p>${say('password_link.over')}</p>
      <div class="actions">
        <a class="button main" href="${PASSWORD_RESET_PATH}">${say('password_link.send_new')}</a>
        <a class="button" href="${ACCOUNT}">${say('sign_in.title')}</a>
      </div>`,
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
    title: say('password_reset.title'),
    narrow: true,
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>${say('password_reset.title')}</h1>
      <p class="lead">${say('password_reset.lead')}</p>
      <form method="post" action="${inRequestedLanguage(PASSWORD_RESET_PATH)}">
        ${hiddenFields({ csrf })}
        ${field({
          name: 'email',
          label: say('form.email'),
          type: 'email',
          autocomplete: 'username',
          hint: say('password_reset.hint', { site: site.name }),
          error: error?.message,
          focus: true,
        })}
        <div class="actions"><button class="main" type="submit">${say('form.send_link')}</button></div>
      </form>
      <p class="end-links"><a href="${ACCOUNT}">${say('form.back_to_sign_in')}</a></p>`,
  });
}

/** The same page for known and unknown addresses. */
export function passwordResetSentPage(site: SiteRecord): Page {
  return page(site, {
    title: say('link.check_email'),
    narrow: true,
    body: html`<h1>${say('link.check_email')}</h1>
      <p>${phrase('password_reset.sent', { site: html`<bdi>${site.name}</bdi>` })}</p>
      <p class="quiet">${say('link.no_email')}</p>
      <div class="actions">
        <a class="button" href="${inRequestedLanguage(PASSWORD_RESET_PATH)}">${say('link.send_another')}</a>
        <a class="button" href="${ACCOUNT}">${say('form.back_to_sign_in')}</a>
      </div>`,
  });
}
