import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { SETTINGS, adminPage } from './admin.page.js';
import type { SettingFault } from './look.policy.js';

/** A form after it was sent. */
export interface FormState {
  /** The digests that the form had; absent: those of the fields. */
  readonly base?: string | undefined;
  readonly faults?: readonly SettingFault[];
  /** Another change came first, and the fields are the stored ones. */
  readonly isStale?: boolean;
  /** admin-api, which keeps the settings, cannot be reached. */
  readonly isUnavailable?: boolean;
}

export function statusOf({ faults = [], isStale, isUnavailable }: FormState): number {
  if (isUnavailable === true) return 503;
  if (isStale === true) return 412;
  return faults.length > 0 ? 422 : 200;
}

export function formAlarm({ isStale, isUnavailable }: FormState): Html | undefined {
  if (isUnavailable === true) return html`<p class="alarm" role="alert">${say('site.unavailable')}</p>`;
  return isStale === true ? html`<p class="alarm" role="alert">${say('form.stale')}</p>` : undefined;
}

export const backToSettings = (): Html => html`<p><a href="${SETTINGS}">${say('site.back')}</a></p>`;

/** In place of a form whose values cannot be read. */
export function unavailablePage(context: AccountContext, title: string): Page {
  const state = { isUnavailable: true };
  const body = html`${formAlarm(state)} ${backToSettings()}`;
  return adminPage(context, { path: SETTINGS, title, body, status: statusOf(state) });
}
