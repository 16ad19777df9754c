import { phrase, say } from '@lyceum/messages';
import { accountField, field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { passkeyForm } from '#src/passkeys/passkey.form.js';
import type { Passkey } from '#src/passkeys/passkey.js';
import { PASSKEY_LIMITS } from '#src/passkeys/passkey.policy.js';
import { PASSKEY_SCRIPT } from '#src/passkeys/passkey.script.js';
import { ACCOUNT, PASSKEYS, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';
import { askFirst, confirmation } from './confirmation.js';
import { noticeLine } from '#src/notices/notices.js';
import { timeAgo } from './time-ago.js';

export interface PasskeysError {
  readonly status: 403 | 409 | 422 | 429;
  /** The field that the person can correct. */
  readonly field?: 'current';
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

function nameField(id: string, value: string): Html {
  return html`<label for="${id}">${say('passkeys.name')}</label>
    <input type="text" id="${id}" name="name" value="${value}" maxlength="${PASSKEY_LIMITS.nameLength}" required />`;
}

function item({ passkey_id, name, backed_up, created_at, last_used_at }: Passkey, csrf: string): Html {
  const when = timeAgo(created_at);
  const fields = html`<input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="passkey" value="${passkey_id}" />`;
  return html`<div class="item">
    <h2>${name}</h2>
    <p class="quiet">
      ${
        last_used_at === null
          ? phrase('passkeys.added', { when })
          : phrase('passkeys.added_used', { when, used: timeAgo(last_used_at) })
      }
      ${say(backed_up ? 'passkeys.shared' : 'passkeys.one_device')}
    </p>
    <details>
      <summary>${say('passkeys.rename', { name })}</summary>
      <form method="post" action="${PASSKEYS}/rename">
        ${fields} ${nameField(`name-${passkey_id}`, name)}
        <div class="actions"><button type="submit">${say('form.save')}</button></div>
      </form>
    </details>
    ${askFirst(`${PASSKEYS}/remove`, { passkey: passkey_id }, say('passkeys.remove', { name }))}
  </div>`;
}

function addForm({ person, csrf }: AccountContext, error: PasskeysError | undefined): Html {
  return html`<p>${say('passkeys.add_hint')}</p>
    <form method="post" action="${PASSKEYS}">
      ${hiddenFields({ csrf })} ${accountField(person.email)}
      ${field({
        name: 'current',
        label: say('form.current_password'),
        type: 'password',
        autocomplete: 'current-password',
        error: error?.field === 'current' ? error.message : undefined,
        beside: html`<a href="${PASSWORD_RESET_PATH}">${say('form.forgot_password')}</a>`,
      })}
      <div class="actions"><button class="main" type="submit">${say('form.continue')}</button></div>
    </form>`;
}

export function removePasskeyPage({ site, csrf }: AccountContext, { passkey_id, name }: Passkey): Page {
  return page(site, {
    title: say('passkeys.remove_question', { name }),
    body: html`<h1>${say('passkeys.remove_question', { name })}</h1>
      ${confirmation({
        effect: say('passkeys.remove_effect', { site: site.name }),
        action: `${PASSKEYS}/remove`,
        hidden: { csrf, passkey: passkey_id },
        button: say('passkeys.remove_button'),
        back: PASSKEYS,
      })}`,
  });
}

export function passkeysPage(context: AccountContext, passkeys: readonly Passkey[], error?: PasskeysError): Page {
  const { site, csrf } = context;
  const { perPerson } = PASSKEY_LIMITS;
  return page(site, {
    title: say('passkeys.title'),
    status: error?.status ?? 200,
    ...(error?.retryAfter === undefined ? {} : { headers: { 'retry-after': String(error.retryAfter) } }),
    body: html`${noticeLine(context.notice)}
      <h1>${say('passkeys.title')}</h1>
      <p class="lead">${say('passkeys.lead', { site: site.name })}</p>
      ${error && error.field === undefined && html`<p class="alarm" role="alert">${error.message}</p>`}
      ${passkeys.length === 0 && html`<p class="empty">${say('passkeys.none')}</p>`}
      ${passkeys.map((one) => item(one, csrf))}
      <h2>${say('passkeys.add')}</h2>
      ${
        passkeys.length < perPerson
          ? addForm(context, error)
          : html`<p>${say('passkeys.maximum', { max: perPerson })}</p>`
      }
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}

/** `options`: PublicKeyCredentialCreationOptionsJSON. */
export function newPasskeyPage({ site, csrf }: AccountContext, options: object): Page {
  return page(site, {
    title: say('passkeys.add'),
    script: PASSKEY_SCRIPT,
    body: html`<h1>${say('passkeys.add')}</h1>
      <p>${say('passkeys.name_hint')}</p>
      <p class="notice" data-without-passkeys>${say('passkeys.unsupported')}</p>
      ${passkeyForm({
        ceremony: 'create',
        action: `${PASSKEYS}/add`,
        hidden: { csrf },
        options,
        fields: nameField('name', say('passkeys.default_name')),
        button: html`<button class="main" type="submit">${say('passkeys.create')}</button>`,
      })}
      <p><a href="${PASSKEYS}">${say('passkeys.back')}</a></p>`,
  });
}

export function noPasskeysPage(site: SiteRecord): Page {
  return page(site, {
    title: say('passkeys.no_site'),
    status: 404,
    body: html`<h1>${say('passkeys.no_site')}</h1>
      <p>${say('passkeys.no_site_reason')}</p>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
