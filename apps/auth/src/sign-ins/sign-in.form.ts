import { phrase, say } from '@lyceum/messages';
import { field, hiddenFields } from '@lyceum/pages';
import type { PageContent } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { inRequestedLanguage } from '#src/edge/reader.js';
import { passkeyForm } from '#src/passkeys/passkey.form.js';
import { PASSKEY_SCRIPT } from '#src/passkeys/passkey.script.js';
import { PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { WaysIn } from './ways-in.policy.js';

export type SignInError =
  | { kind: 'refused' | 'no_access' | 'passkey_refused' | 'passkey_stale' | 'forged' }
  | { kind: 'slowed_down'; retryAfter: number };

export interface PasskeyOffer {
  /** Options for the browser (PublicKeyCredentialRequestOptionsJSON). */
  readonly options: object;
  /** Whether the passkey stands before the password. */
  readonly isFirst: boolean;
}

export interface SignInFields {
  readonly action: string;
  /** The hidden fields, by name. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly email: string;
  readonly error: SignInError | undefined;
  /** Undefined where passkeys are not supported. */
  readonly passkeyRequest: PasskeyOffer | undefined;
  readonly more: WaysIn;
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
      return say('sign_in.refused');
    case 'no_access':
      // The same text for a suspended and a removed member, and a member of other sites only.
      return say('sign_in.no_access');
    case 'passkey_refused':
      // The same text for an unknown passkey, one of another site, and a wrong signature.
      return say('sign_in.passkey_refused');
    case 'passkey_stale':
      return say('form.expired');
    case 'slowed_down':
      return say('sign_in.slowed_down', { seconds: error.retryAfter });
    case 'forged':
      return say('form.forged');
  }
}

/** Status, headers, script and width of a page with the form. */
export function signInResponse({
  error,
  passkeyRequest,
}: Pick<SignInFields, 'error' | 'passkeyRequest'>): Pick<PageContent, 'status' | 'headers' | 'script' | 'narrow'> {
  const shown = { script: passkeyRequest && PASSKEY_SCRIPT, narrow: true };
  if (error === undefined) return { status: 200, ...shown };
  const headers: Record<string, string> = {};
  if (error.kind === 'slowed_down') headers['retry-after'] = String(error.retryAfter);
  return { status: STATUS[error.kind], headers, ...shown };
}

/** After a wrong password the person types only the password again. */
function fields({ email, error, passkeyRequest }: SignInFields): Html {
  const wrong = error?.kind === 'refused' ? messageOf(error) : undefined;
  const known = email !== '';
  return html`${field({
    name: 'email',
    label: say('form.email'),
    type: 'email',
    value: email,
    autocomplete: passkeyRequest === undefined ? 'username' : 'username webauthn',
    focus: !known,
  })}
  ${field({
    name: 'password',
    label: say('form.password'),
    type: 'password',
    autocomplete: 'current-password',
    beside: html`<a href="${inRequestedLanguage(PASSWORD_RESET_PATH)}">${say('form.forgot_password')}</a>`,
    error: wrong,
    focus: known,
  })}`;
}

function passkey({ options, isFirst }: PasskeyOffer, { action, hidden }: SignInFields): Html {
  const or = html`<p class="or">${say('sign_in.or')}</p>`;
  return passkeyForm({
    ceremony: 'get',
    action,
    hidden,
    options,
    ...(isFirst ? { after: or } : { before: or }),
    button: html`<button ${isFirst && html`class="main"`} type="submit">${say('sign_in.with_passkey')}</button>`,
  });
}

/** A password and a passkey, first the one that was used last, and further ways in, with the last error. */
export function signInForm(view: SignInFields): Html {
  const { action, hidden, error, passkeyRequest, more } = view;
  const notice = error !== undefined && error.kind !== 'refused' && messageOf(error);
  return html`${notice && html`<p class="alarm" role="alert">${notice}</p>`}
    ${passkeyRequest?.isFirst === true && passkey(passkeyRequest, view)}
    <form method="post" action="${action}">
      ${hiddenFields(hidden)} ${fields(view)}
      <div class="actions"><button class="main" type="submit">${say('sign_in.title')}</button></div>
    </form>
    ${passkeyRequest?.isFirst === false && passkey(passkeyRequest, view)}
    ${
      more.link !== undefined &&
      html`${passkeyRequest?.isFirst !== false && html`<p class="or">${say('sign_in.or')}</p>`}
        <div class="actions"><a class="button" href="${more.link}">${say('sign_in.email_me_link')}</a></div>`
    }
    ${
      more.signUp !== undefined &&
      html`<p class="end-links">
        ${phrase('sign_in.new_here', { link: html`<a href="${more.signUp}">${say('sign_in.create_account')}</a>` })}
      </p>`
    }`;
}
