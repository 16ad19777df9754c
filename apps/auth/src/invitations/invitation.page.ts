import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import type { Page } from '#src/pages/page.js';
import { PASSWORD_LIMITS } from '#src/people/passwords.js';
import type { SiteRecord } from '#src/sites/site.js';

export interface InvitationView {
  readonly email: string;
  readonly csrf: string;
  readonly fault?: string;
}

export function invitationPage(site: SiteRecord, { email, csrf, fault }: InvitationView): Page {
  const { min, max } = PASSWORD_LIMITS;
  return page(site, {
    title: 'Set your password',
    status: fault === undefined ? 200 : 422,
    body: html`<h1>Set your password</h1>
      <p>for <strong>${email}</strong> at ${site.name}</p>
      ${fault && html`<p class="alarm" role="alert" id="fault">${fault}</p>`}
      <form method="post">
        <input type="hidden" name="csrf" value="${csrf}" />
        <input type="hidden" name="username" value="${email}" autocomplete="username" />
        <label for="password">Password (at least ${min} characters)</label>
        <input
          type="password"
          id="password"
          name="password"
          minlength="${min}"
          maxlength="${max}"
          autocomplete="new-password"
          required
          autofocus
          ${fault && html`aria-describedby="fault"`}
        />
        <div class="actions"><button class="main" type="submit">Set password</button></div>
      </form>`,
  });
}

export function invitationDonePage(site: SiteRecord): Page {
  return page(site, {
    title: 'Your password is set',
    body: html`<h1>Your password is set</h1>
      <p>You can now sign in from any application of ${site.name}.</p>`,
  });
}

export function invitationOverPage(site: SiteRecord): Page {
  return page(site, {
    title: 'This link is no longer valid',
    status: 404,
    body: html`<h1>This link is no longer valid</h1>
      <p>It was used already, or it is too old. Ask the people of ${site.name} for a new one.</p>`,
  });
}
