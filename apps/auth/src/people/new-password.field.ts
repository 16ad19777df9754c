import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { PASSWORD_LIMITS } from './password.policy.js';

/** The field for a new password; `more` are further attributes of the input. */
export function newPasswordField(label: string, more: Html | false | undefined): Html {
  const { min, max } = PASSWORD_LIMITS;
  return html`<label for="password">${label} (at least ${min} characters)</label>
    <input
      type="password"
      id="password"
      name="password"
      minlength="${min}"
      maxlength="${max}"
      autocomplete="new-password"
      required
      ${more}
    />`;
}
