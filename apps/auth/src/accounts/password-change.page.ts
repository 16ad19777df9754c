import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { ACCOUNT, PASSWORD_CHANGE, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Visitor } from './account-session.guard.js';

export interface PasswordChangeFault {
  readonly status: 422 | 429;
  readonly field: 'current' | 'password';
  readonly words: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function passwordChangePage({ site, person, csrf }: Visitor, fault?: PasswordChangeFault): Page {
  const describedAt = (field: PasswordChangeFault['field']) => fault?.field === field && html`aria-describedby="fault"`;
  return page(site, {
    title: 'Change your password',
    status: fault?.status ?? 200,
    ...(fault?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfter) } }),
    body: html`<h1>Change your password</h1>
      <p>It signs you out of all other browsers, and disconnects all applications.</p>
      ${fault && html`<p class="alarm" role="alert" id="fault">${fault.words}</p>`}
      <form method="post" action="${PASSWORD_CHANGE}">
        <input type="hidden" name="csrf" value="${csrf}" />
        <input type="hidden" name="username" value="${person.email}" autocomplete="username" />
        <label for="current">Current password</label>
        <input
          type="password"
          id="current"
          name="current"
          autocomplete="current-password"
          required
          autofocus
          ${describedAt('current')}
        />
        ${newPasswordField('New password', describedAt('password'))}
        <div class="actions"><button class="main" type="submit">Change password</button></div>
      </form>
      <p><a href="${PASSWORD_RESET_PATH}">Forgot your password?</a></p>
      <p><a href="${ACCOUNT}">Back to your account</a></p>`,
  });
}

export function passwordChangedPage(site: SiteRecord): Page {
  return page(site, {
    title: 'Your password is changed',
    body: html`<h1>Your password is changed</h1>
      <p>You are signed in with this browser only. <a href="${ACCOUNT}">Continue to your account</a></p>`,
  });
}
