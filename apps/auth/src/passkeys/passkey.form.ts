import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

export interface PasskeyForm {
  readonly ceremony: 'create' | 'get';
  readonly action: string;
  /** The hidden fields, by name. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Options for the browser, as JSON. */
  readonly options: object;
  readonly button: Html;
  /** Further fields. */
  readonly fields?: Html;
}

const KNOWN = 'This device already has a passkey for your account.';
const FAILED = 'No passkey was used. Try again.';

/** A form for the passkey response of a browser. The script shows it where the browser supports passkeys. */
export function passkeyForm({ ceremony, action, hidden, options, button, fields }: PasskeyForm): Html {
  return html`<form
    method="post"
    action="${action}"
    data-ceremony="${ceremony}"
    data-passkey="${JSON.stringify(options)}"
    data-known="${KNOWN}"
    data-failed="${FAILED}"
    hidden
  >
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <input type="hidden" name="credential" value="" />
    ${fields}
    <div class="actions">${button}</div>
    <p role="status"></p>
  </form>`;
}
