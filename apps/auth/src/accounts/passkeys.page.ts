import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { passkeyForm } from '#src/passkeys/passkey.form.js';
import type { Passkey } from '#src/passkeys/passkey.js';
import { PASSKEY_LIMITS } from '#src/passkeys/passkey.policy.js';
import { PASSKEY_SCRIPT } from '#src/passkeys/passkey.script.js';
import { ACCOUNT, PASSKEYS } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';

export interface PasskeysError {
  readonly status: 403 | 409 | 422 | 429;
  /** The field that the person can correct. */
  readonly field?: 'current';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

function nameField(id: string, value: string): Html {
  return html`<label for="${id}">Name</label>
    <input type="text" id="${id}" name="name" value="${value}" maxlength="${PASSKEY_LIMITS.nameLength}" required />`;
}

function item({ passkey_id, name, backed_up, created_at, last_used_at }: Passkey, csrf: string): Html {
  const fields = html`<input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="passkey" value="${passkey_id}" />`;
  return html`<div class="item">
    <h2>${name}</h2>
    <p class="quiet">
      Added on ${day(created_at)}, ${last_used_at === null ? 'not used yet' : `last used on ${day(last_used_at)}`}.
      ${backed_up ? 'Your devices share it.' : 'It is on one device only.'}
    </p>
    <form method="post" action="${PASSKEYS}/rename">
      ${fields} ${nameField(`name-${passkey_id}`, name)}
      <div class="actions"><button type="submit">Rename ${name}</button></div>
    </form>
    <form method="post" action="${PASSKEYS}/remove">
      ${fields}
      <div class="actions"><button class="end" type="submit">Remove ${name}</button></div>
    </form>
  </div>`;
}

function addForm({ person, csrf }: AccountContext, error: PasskeysError | undefined): Html {
  const described = error?.field === 'current' && html`aria-describedby="error"`;
  return html`<p>Your browser creates the passkey, which needs JavaScript. Enter your password first:</p>
    <form method="post" action="${PASSKEYS}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="username" value="${person.email}" autocomplete="username" />
      <label for="current">Current password</label>
      <input type="password" id="current" name="current" autocomplete="current-password" required ${described} />
      <div class="actions"><button class="main" type="submit">Continue</button></div>
    </form>`;
}

export function passkeysPage(context: AccountContext, passkeys: readonly Passkey[], error?: PasskeysError): Page {
  const { site, csrf } = context;
  const { perPerson } = PASSKEY_LIMITS;
  return page(site, {
    title: 'Your passkeys',
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`<h1>Your passkeys</h1>
      <p>
        A passkey signs you in at ${site.name} by fingerprint, face or PIN of your device. Your password still works.
      </p>
      ${error && html`<p class="alarm" role="alert" id="error">${error.message}</p>`}
      ${passkeys.map((one) => item(one, csrf))}
      <h2>Add a passkey</h2>
      ${
        passkeys.length < perPerson
          ? addForm(context, error)
          : html`<p>You have ${perPerson}, which is the maximum. Remove one first.</p>`
      }
      <p><a href="${ACCOUNT}">Back to your account</a></p>`,
  });
}

/** `options`: PublicKeyCredentialCreationOptionsJSON. */
export function newPasskeyPage({ site, csrf }: AccountContext, options: object): Page {
  return page(site, {
    title: 'Add a passkey',
    script: PASSKEY_SCRIPT,
    body: html`<h1>Add a passkey</h1>
      <p>Name it after where it is kept, such as your phone or your password manager.</p>
      <p class="notice" data-without-passkeys>
        Your browser cannot create a passkey: it is too old, or JavaScript is off.
      </p>
      ${passkeyForm({
        ceremony: 'create',
        action: `${PASSKEYS}/add`,
        hidden: { csrf },
        options,
        fields: nameField('name', 'Passkey'),
        button: html`<button class="main" type="submit">Create the passkey</button>`,
      })}
      <p><a href="${PASSKEYS}">Back to your passkeys</a></p>`,
  });
}

export function noPasskeysPage(site: SiteRecord): Page {
  return page(site, {
    title: 'This site has no passkeys',
    status: 404,
    body: html`<h1>This site has no passkeys</h1>
      <p>Browsers do not support passkeys for the address of this site.</p>
      <p><a href="${ACCOUNT}">Back to your account</a></p>`,
  });
}
