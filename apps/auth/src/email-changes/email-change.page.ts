import { phrase, say } from '@lyceum/messages';
import { field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { noticeLine } from '#src/notices/notices.js';
import { timeLeft } from '#src/accounts/time-ago.js';
import { page } from '#src/pages/page.js';
import { MAX_EMAIL_LENGTH } from '#src/people/email.policy.js';
import { ACCOUNT, EMAIL_CHANGE, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { OpenEmailChange } from './email-change.js';

export interface EmailChangeError {
  readonly status: 422 | 429;
  readonly field: 'email' | 'current';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface EmailChangeView {
  readonly open: OpenEmailChange | undefined;
  /** The new address as typed. */
  readonly email?: string;
  readonly error?: EmailChangeError;
}

const state = (done: boolean, yes: string): Html =>
  done ? html`<span class="badge">${yes}</span>` : html`<span class="badge warn">${say('email_change.waiting')}</span>`;

function waiting({ person, csrf }: AccountContext, open: OpenEmailChange): Html {
  return html`<div class="item">
    <h2>${phrase('email_change.to', { email: html`<bdi>${open.new_email}</bdi>` })}</h2>
    <p>${phrase('email_change.open_links', { when: timeLeft(open.expires_at) })}</p>
    <ul>
      <li><bdi>${person.email}</bdi> ${state(open.approved, say('email_change.approved'))}</li>
      <li><bdi>${open.new_email}</bdi> ${state(open.confirmed, say('email_change.confirmed'))}</li>
    </ul>
    <p class="quiet">${say('email_change.no_email')}</p>
    <form method="post" action="${`${EMAIL_CHANGE}/cancel`}">
      ${hiddenFields({ csrf })}
      <button class="end" type="submit">${say('email_change.cancel')}</button>
    </form>
  </div>`;
}

export function emailChangePage(context: AccountContext, { open, email, error }: EmailChangeView): Page {
  const { site, person, csrf } = context;
  const errorOf = (name: EmailChangeError['field']) => (error?.field === name ? error.message : undefined);
  return page(site, {
    title: say('email_change.title'),
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`${noticeLine(context.notice)}
      <h1>${say('email_change.title')}</h1>
      <p>${phrase('email_change.lead', { email: html`<strong><bdi>${person.email}</bdi></strong>` })}</p>
      ${open && waiting(context, open)}
      <form method="post" action="${EMAIL_CHANGE}">
        ${hiddenFields({ csrf })}
        ${field({
          name: 'email',
          label: say('email_change.new'),
          type: 'email',
          value: email ?? '',
          autocomplete: 'email',
          hint: say('email_change.hint'),
          error: errorOf('email'),
          more: html`maxlength="${MAX_EMAIL_LENGTH}"`,
        })}
        ${field({
          name: 'current',
          label: say('form.current_password'),
          type: 'password',
          autocomplete: 'current-password',
          error: errorOf('current'),
          beside: html`<a href="${PASSWORD_RESET_PATH}">${say('form.forgot_password')}</a>`,
        })}
        <div class="actions"><button class="main" type="submit">${say('form.continue')}</button></div>
      </form>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
