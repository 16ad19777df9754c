import { phrase, say } from '@lyceum/messages';
import { accountField, field, hiddenFields } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { newPasswordField } from '#src/people/new-password.field.js';
import { ACCOUNT, EMAIL_LINK_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { FoundEmailLink } from './email-links.service.js';

export interface EmailLinkError {
  /** The field of the value; `form` for the form itself. */
  readonly field: 'name' | 'password' | 'form';
  readonly message: string;
}

export interface EmailLinkView extends Pick<FoundEmailLink, 'email' | 'hasPassword'> {
  readonly csrf: string;
  /** Distinguishes the links that this browser has followed. */
  readonly link: string;
  /** False in another browser than the one that requested the link. */
  readonly isOwnBrowser: boolean;
  /** The form continues an authorization. */
  readonly leadsToApplication?: boolean;
  /** The name as typed. */
  readonly name?: string;
  readonly error?: EmailLinkError | undefined;
}

const errorOf = (view: EmailLinkView, name: EmailLinkError['field']): string | undefined =>
  view.error?.field === name ? view.error.message : undefined;

function form(view: EmailLinkView, inner: Html): Html {
  const alarm = errorOf(view, 'form');
  return html`${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
    <form method="post" action="${EMAIL_LINK_PATH}">
      ${hiddenFields({ csrf: view.csrf, link: view.link })} ${inner}
    </form>`;
}

function nameField(view: EmailLinkView): Html {
  return field({
    name: 'name',
    label: say('form.name'),
    type: 'text',
    value: view.name ?? '',
    autocomplete: 'name',
    error: errorOf(view, 'name'),
    focus: view.error === undefined,
  });
}

/** The last step of a sign-up: the address is confirmed by the link. */
export function signUpPage(site: SiteRecord, view: EmailLinkView): Page {
  const { email, hasPassword } = view;
  const title = hasPassword ? say('sign_up.join', { site: site.name }) : say('sign_up.create');
  return page(site, {
    title,
    ...linkResponse(view),
    body: html`<h1>${title}</h1>
      <p class="lead">${phrase('sign_up.with', { email: html`<strong><bdi>${email}</bdi></strong>` })}</p>
      ${hasPassword && html`<p>${say('sign_up.join_reason')}</p>`}
      ${form(
        view,
        html`${accountField(email)} ${nameField(view)}
          ${!hasPassword && newPasswordField(say('form.password'), undefined, errorOf(view, 'password'))}
          <div class="actions">
            <button class="main" type="submit">
              ${say(hasPassword ? 'sign_up.join_button' : 'sign_up.create_button')}
            </button>
          </div>`,
      )}`,
  });
}

/** A button signs in, because mail programs and scanners open links by themselves. */
export function signInLinkPage(site: SiteRecord, view: EmailLinkView): Page {
  const { email, isOwnBrowser } = view;
  return page(site, {
    title: say('sign_in.title'),
    ...linkResponse(view),
    body: html`<h1>${say('sign_in.title')}</h1>
      <p class="lead">${phrase('sign_in_link.as', { email: html`<strong><bdi>${email}</bdi></strong>` })}</p>
      ${
        !isOwnBrowser &&
        html`<p class="notice">${say('sign_in_link.other_browser')}</p>
          <p>${say('sign_in_link.otherwise')}</p>`
      }
      ${form(
        view,
        isOwnBrowser
          ? html`<div class="actions"><button class="main" type="submit">${say('sign_in.title')}</button></div>`
          : html`<div class="actions">
              <button type="submit" name="confirmed" value="yes">${say('sign_in_link.here')}</button>
            </div>`,
      )}`,
  });
}

const linkResponse = ({ error, leadsToApplication = false }: EmailLinkView) => ({
  narrow: true,
  leadsToApplication,
  status: error === undefined ? 200 : error.field === 'form' ? 403 : 422,
});

export function emailLinkOverPage(site: SiteRecord): Page {
  return page(site, {
    title: say('link.over'),
    narrow: true,
    status: 404,
    body: html`<h1>${say('link.over')}</h1>
      <p>${say('email_link.over')}</p>
      <div class="actions"><a class="button main" href="${ACCOUNT}">${say('sign_in.title')}</a></div>`,
  });
}
