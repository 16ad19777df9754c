import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';

/** Shown for a decision that was made before, such as after the back button. `redirectUri`: of the application. */
export function answeredPage(site: SiteRecord, redirectUri: string): Page {
  const url = URL.parse(redirectUri);
  const isWeb = url?.protocol === 'https:';
  return page(site, {
    title: say('answered.title'),
    status: 400,
    body: html`<h1>${say('answered.title')}</h1>
      <p>${say('answered.next')}</p>
      ${isWeb && html`<p><a href="${url.origin}">${say('error.go_to', { place: url.host })}</a></p>`}
      <p><a href="${ACCOUNT}">${say('answered.applications')}</a></p>`,
  });
}
