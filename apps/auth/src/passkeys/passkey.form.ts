import { say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
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
  /** Shown above the fields, only where the form is. */
  readonly before?: Html;
  /** Shown below the button, only where the form is. */
  readonly after?: Html;
  /** Further fields. */
  readonly fields?: Html;
}

/** A form for the passkey response of a browser. The script shows it where the browser supports passkeys. */
export function passkeyForm({ ceremony, action, hidden, options, button, before, after, fields }: PasskeyForm): Html {
  return html`<form
    method="post"
    action="${action}"
    data-ceremony="${ceremony}"
    data-passkey="${JSON.stringify(options)}"
    data-known="${say('passkey.known')}"
    data-failed="${say('passkey.failed')}"
    hidden
  >
    ${before} ${hiddenFields(hidden)}
    <input type="hidden" name="credential" value="" />
    ${fields}
    <div class="actions">${button}</div>
    <p role="status"></p>
    ${after}
  </form>`;
}
