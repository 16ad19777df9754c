import { say } from '@lyceum/messages';
import { accountField, field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { ACCOUNT, PASSWORD_CHANGE, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { AccountContext } from './account-session.guard.js';

export interface PasswordChangeError {
  readonly status: 422 | 429;
  readonly field: 'current' | 'password';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export function passwordChangePage({ site, person, csrf }: AccountContext, error?: PasswordChangeError): Page {
  const errorOf = (name: PasswordChangeError['field']) => (error?.field === name ? error.message : undefined);
  const isNewWrong = error?.field === 'password';
  return page(site, {
    title: say('password_change.title'),
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>${say('password_change.title')}</h1>
      <p>${say('password_change.effect')}</p>
      <form method="post" action="${PASSWORD_CHANGE}">
        ${hiddenFields({ csrf })} ${accountField(person.email)}
        ${field({
          name: 'current',
          label: say('form.current_password'),
          type: 'password',
          autocomplete: 'current-password',
          error: errorOf('current'),
          focus: !isNewWrong,
          beside: html`<a href="${PASSWORD_RESET_PATH}">${say('form.forgot_password')}</a>`,
        })}
        ${newPasswordField(say('form.new_password'), undefined, errorOf('password'))}
        <div class="actions"><button class="main" type="submit">${say('password_change.button')}</button></div>
      </form>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
