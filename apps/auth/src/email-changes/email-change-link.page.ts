import { phrase, say } from '@lyceum/messages';
import { hiddenFields } from '@lyceum/pages';
import type { Page, PageContent } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ACCOUNT, EMAIL_CHANGE_LINK, PASSWORD_RESET_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { LinkedEmailChange } from './email-change.js';

export interface EmailChangeLinkView extends LinkedEmailChange {
  readonly csrf: string;
  /** Distinguishes the links that this browser has followed. */
  readonly link: string;
  readonly error?: string;
}

const toAccount = (): Html =>
  html`<div class="actions"><a class="button" href="${ACCOUNT}">${say('form.continue_to_account')}</a></div>`;

function result(site: SiteRecord, title: string, text: Html, more: Pick<PageContent, 'status'> = {}): Page {
  return page(site, {
    title,
    narrow: true,
    ...more,
    body: html`<h1>${title}</h1>
      ${text}`,
  });
}

function question(site: SiteRecord, view: EmailChangeLinkView, title: string, text: Html, buttons: Html): Page {
  const { csrf, link, error } = view;
  return page(site, {
    title,
    narrow: true,
    status: error === undefined ? 200 : 403,
    body: html`<h1>${title}</h1>
      ${error && html`<p class="alarm" role="alert">${error}</p>`} ${text}
      <form method="post" action="${EMAIL_CHANGE_LINK}">
        ${hiddenFields({ csrf, link })}
        <div class="actions">${buttons}</div>
      </form>`,
  });
}

/** The question of a link, or what became of the change. */
export function emailChangeLinkPage(site: SiteRecord, view: EmailChangeLinkView): Page {
  const { side, outcome, approved, confirmed, taken, email, new_email } = view;
  const to = html`<strong><bdi>${new_email}</bdi></strong>`;
  const here = html`<bdi>${site.name}</bdi>`;
  if (outcome === 'changed') {
    return result(
      site,
      say('email_change.changed'),
      html`<p>${phrase('email_change.changed_effect', { email: to })}</p>
        ${toAccount()}`,
    );
  }
  if (outcome === 'refused') {
    return result(
      site,
      say('email_change.stays'),
      html`<p>${say('email_change.withdrawn')}</p>
        <p class="quiet">${say('email_change.stolen')}</p>
        <div class="actions">
          <a class="button main" href="${PASSWORD_RESET_PATH}">${say('password_reset.title')}</a>
          <a class="button" href="${ACCOUNT}">${say('form.continue_to_account')}</a>
        </div>`,
    );
  }
  if (outcome === 'taken' || (side === 'confirmation' && taken)) {
    return result(
      site,
      say('email_change.taken'),
      html`<p>${phrase('email_change.taken_reason', { email: to })}</p>
        <p class="quiet">${say('email_change.taken_next')}</p>
        ${toAccount()}`,
      { status: 409 },
    );
  }
  if (side === 'approval') {
    if (approved) {
      const text = html`<p>${phrase('email_change.must_confirm', { email: to })}</p>`;
      return result(site, say('email_change.you_approved'), text);
    }
    return question(
      site,
      view,
      say('email_change.approve_question'),
      html`<p>${phrase('email_change.from_to', { site: here, email: html`<bdi>${email}</bdi>`, new_email: to })}</p>
        <p>${say('email_change.from_then_on')}</p>`,
      html`<button class="main" type="submit" name="decision" value="agree">${say('email_change.approve')}</button>
        <button class="end" type="submit" name="decision" value="refuse">${say('email_change.refuse')}</button>`,
    );
  }
  if (confirmed) {
    return result(site, say('email_change.you_confirmed'), html`<p>${say('email_change.must_approve')}</p>`);
  }
  return question(
    site,
    view,
    say('email_change.confirm_question'),
    html`<p>${phrase('email_change.becomes', { email: to, site: here })}</p>
      <p class="quiet">${say('email_change.ignore')}</p>`,
    html`<button class="main" type="submit" name="decision" value="agree">${say('email_change.confirm')}</button>`,
  );
}

export function emailChangeLinkOverPage(site: SiteRecord): Page {
  return result(
    site,
    say('link.over'),
    html`<p>${say('email_change.over')}</p>
      ${toAccount()}`,
    { status: 404 },
  );
}
