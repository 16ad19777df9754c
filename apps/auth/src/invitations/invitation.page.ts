import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import type { SiteRecord } from '#src/sites/site.js';
import { INVITATION_PATH } from './followed-link.js';

export const PASSWORD_RESET_PATH = '/account/password';

export interface InvitationView {
  readonly email: string;
  readonly csrf: string;
  /** Tells the links apart that this browser has followed. */
  readonly link: string;
  readonly fault?: string;
}

export function invitationPage(site: SiteRecord, { email, csrf, link, fault }: InvitationView): Page {
  return page(site, {
    title: 'Set your password',
    status: fault === undefined ? 200 : 422,
    body: html`<h1>Set your password</h1>
      <p>for <strong>${email}</strong> at ${site.name}</p>
      ${fault && html`<p class="alarm" role="alert" id="fault">${fault}</p>`}
      <form method="post" action="${INVITATION_PATH}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <input type="hidden" name="link" value="${link}" />
        <input type="hidden" name="username" value="${email}" autocomplete="username" />
        ${newPasswordField('Password', html`autofocus ${fault && html`aria-describedby="fault"`}`)}
        <div class="actions"><button class="main" type="submit">Set password</button></div>
      </form>`,
  });
}

export function invitationDonePage(site: SiteRecord): Page {
  return page(site, {
    title: 'Your password is set',
    body: html`<h1>Your password is set</h1>
      <p>
        You can now sign in from any application of ${site.name}, or go on to <a href="/account">your account</a>.
      </p>`,
  });
}

export function invitationOverPage(site: SiteRecord): Page {
  return page(site, {
    title: 'This link is no longer valid',
    status: 404,
    body: html`<h1>This link is no longer valid</h1>
      <p>
        It was used, is too old, or was replaced by a newer one. If you opened it in another browser, open it there, or
        open it from the mail again. You can also ask the people of ${site.name} for a new link, or
        <a href="${PASSWORD_RESET_PATH}">have one sent to you</a>.
      </p>`,
  });
}

export interface PasswordResetFault {
  readonly status: 403 | 429;
  readonly words: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function passwordResetPage(site: SiteRecord, csrf: string, fault?: PasswordResetFault): Page {
  return page(site, {
    title: 'Set another password',
    status: fault?.status ?? 200,
    ...(fault?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfter) } }),
    body: html`<h1>Set another password</h1>
      <p>You get a mail with a link, if the address belongs to somebody at ${site.name}.</p>
      ${fault && html`<p class="alarm" role="alert" id="fault">${fault.words}</p>`}
      <form method="post" action="${PASSWORD_RESET_PATH}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <label for="email">E-mail address</label>
        <input type="email" id="email" name="email" autocomplete="username" required autofocus />
        <div class="actions"><button class="main" type="submit">Send the link</button></div>
      </form>`,
  });
}

/** The same whether there is such a person or not. */
export function passwordResetSentPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Look into your mail',
    body: html`<h1>Look into your mail</h1>
      <p>
        If the address belongs to somebody at ${site.name}, a link is on its way. It works once, and for a short time.
      </p>`,
  });
}
