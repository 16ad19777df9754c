import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { ACCOUNT, PROFILE } from '#src/protocol/paths.js';
import type { AccountContext } from './account-session.guard.js';

/** The fields as typed. */
export interface ProfileFields {
  readonly name: string;
  readonly picture: string;
  readonly locale: string;
  readonly phone: string;
}

export interface ProfileError {
  readonly field: string;
  readonly message: string;
}

const LABELS: Readonly<Record<keyof ProfileFields, string>> = {
  name: 'Name',
  picture: 'Picture (https address)',
  locale: 'Language, such as en or zh-TW',
  phone: 'Phone number, such as +886912345678',
};
const AUTOCOMPLETE = { name: 'name', picture: 'photo', locale: 'language', phone: 'tel' } as const;

function field(name: keyof ProfileFields, value: string, error: ProfileError | undefined): Html {
  return html`<label for="${name}">${LABELS[name]}</label>
    <input
      type="text"
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="${AUTOCOMPLETE[name]}"
      ${name === 'name' && html`required`}
      ${error?.field === name && html`aria-invalid="true" aria-describedby="error"`}
    />`;
}

export function profilePage({ site, csrf }: AccountContext, fields: ProfileFields, error?: ProfileError): Page {
  return page(site, {
    title: 'Your profile',
    status: error === undefined ? 200 : 422,
    body: html`<h1>Your profile</h1>
      <p>How you appear at ${site.name}. Your e-mail address and password stay as they are.</p>
      ${error && html`<p class="alarm" role="alert" id="error">${error.message}</p>`}
      <form method="post" action="${PROFILE}">
        <input type="hidden" name="csrf" value="${csrf}" />
        ${field('name', fields.name, error)} ${field('picture', fields.picture, error)}
        ${field('locale', fields.locale, error)} ${field('phone', fields.phone, error)}
        <div class="actions"><button class="main" type="submit">Save</button></div>
      </form>
      <p><a href="${ACCOUNT}">Back to your account</a></p>`,
  });
}
