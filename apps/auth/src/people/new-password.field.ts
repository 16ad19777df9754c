import { say } from '@lyceum/messages';
import { field } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { PASSWORD_LIMITS } from './password.policy.js';

/** The field for a new password; `more` are further attributes of the input. */
export function newPasswordField(label: string, more: Html | false | undefined, error?: string): Html {
  const { min, max } = PASSWORD_LIMITS;
  return field({
    name: 'password',
    label: html`${label} <span class="hint">${say('form.password_hint', { min })}</span>`,
    type: 'password',
    autocomplete: 'new-password',
    error,
    more: html`minlength="${min}" maxlength="${max}" ${more}`,
  });
}
