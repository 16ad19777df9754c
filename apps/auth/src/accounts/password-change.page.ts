import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { ACCOUNT, PASSWORD_CHANGE, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';

export interface PasswordChangeError {
  readonly status: 422 | 429;
  readonly field: 'current' | 'password';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function passwordChangePage({ site, person, csrf }: AccountContext, error?: PasswordChangeError): Page {
  const describedAt = (field: PasswordChangeError['field']) => error?.field === field && html`aria-describedby="error"`;
  return page(site, {
    title: 'Change your password',
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>Change your password</h1>
      <p>It signs you out of all other browsers, and disconnects all applications.</p>
      ${error && html`<p class="alarm" role="alert" id="error">${error.message}</p>`}
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
