import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import type { PageContent } from '#src/pages/page.js';
import { passkeyForm } from '#src/passkeys/passkey.form.js';
import { PASSKEY_SCRIPT } from '#src/passkeys/passkey.script.js';
import { PASSWORD_RESET_PATH } from '#src/protocol/paths.js';

export type SignInError =
  | { kind: 'refused' | 'no_access' | 'passkey_refused' | 'passkey_stale' | 'forged' }
  | { kind: 'slowed_down'; retryAfter: number };

export interface SignInFields {
  readonly action: string;
  /** The hidden fields, by name. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly email: string;
  readonly error: SignInError | undefined;
  /** Options for the browser (PublicKeyCredentialRequestOptionsJSON), where passkeys are supported. */
  readonly passkeyRequest: object | undefined;
}

const STATUS = {
  refused: 422,
  no_access: 422,
  passkey_refused: 422,
  passkey_stale: 403,
  slowed_down: 429,
  forged: 403,
} as const;

function messageOf(error: SignInError): string {
  switch (error.kind) {
    case 'refused':
      // The same text for a known and an unknown account.
      return 'The email address or the password is wrong.';
    case 'no_access':
      // The same text for a suspended and a removed member, and a member of other sites only.
      return 'This account has no access here. Ask the school for access.';
    case 'passkey_refused':
      // The same text for an unknown passkey, one of another site, and a wrong signature.
      return 'This passkey does not sign you in here. Use another passkey or your password.';
    case 'passkey_stale':
      return 'The page has expired or was already used. Try again.';
    case 'slowed_down':
      return `Too many attempts. Wait ${error.retryAfter} seconds, then try again. A passkey or a link by email signs you in at once.`;
    case 'forged':
      return 'The form did not come from this page. Try again.';
  }
}

/** Status, headers and script of a page with the form. */
export function signInResponse({
  error,
  passkeyRequest,
}: Pick<SignInFields, 'error' | 'passkeyRequest'>): Pick<PageContent, 'status' | 'headers' | 'script'> {
  const script = passkeyRequest && PASSKEY_SCRIPT;
  if (error === undefined) return { status: 200, script };
  const headers: Record<string, string> = {};
  if (error.kind === 'slowed_down') headers['retry-after'] = String(error.retryAfter);
  return { status: STATUS[error.kind], headers, script };
}

/** Email address and password, or a passkey, with the last error and a link to reset the password. */
export function signInForm({ action, hidden, email, error, passkeyRequest }: SignInFields): Html {
  const described = error && html`aria-describedby="error"`;
  return html`${error && html`<p class="alarm" role="alert" id="error">${messageOf(error)}</p>`}
    <form method="post" action="${action}">
      ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <label for="email">E-mail address</label>
      <input
        type="email"
        id="email"
        name="email"
        value="${email}"
        autocomplete="${passkeyRequest === undefined ? 'username' : 'username webauthn'}"
        required
        autofocus
        ${described}
      />
      <label for="password">Password</label>
      <input type="password" id="password" name="password" autocomplete="current-password" required ${described} />
      <div class="actions"><button class="main" type="submit">Sign in</button></div>
    </form>
    ${
      passkeyRequest &&
      passkeyForm({
        ceremony: 'get',
        action,
        hidden,
        options: passkeyRequest,
        button: html`<button type="submit">Sign in with a passkey</button>`,
      })
    }
    <p><a href="${PASSWORD_RESET_PATH}">Forgot your password?</a></p>`;
}
