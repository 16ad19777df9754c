import { phrase, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { SiteRecord } from '#src/sites/site.js';
import { ACCOUNT } from '#src/protocol/paths.js';
import { page } from './page.js';

export interface AuthorizationError {
  readonly error: string;
  readonly error_description?: string | undefined;
  /** Seconds; only for temporary refusals. */
  readonly retryAfter?: number;
}

/** Errors with a sentence of their own. */
const EXPLAINED = [
  'invalid_client',
  'invalid_client_metadata',
  'invalid_redirect_uri',
  'server_error',
  'temporarily_unavailable',
] as const;

function explanation(error: string): string {
  const known = EXPLAINED.find((one) => one === error);
  return say(known === undefined ? 'error.other' : `error.${known}`);
}

/** Error page for people, when redirecting to the application is unsafe or impossible (RFC 6749 §4.1.2.1). */
export function authorizationErrorPage(
  site: SiteRecord,
  { error, error_description, retryAfter }: AuthorizationError,
): Page {
  return page(site, {
    title: say('error.title'),
    ...(retryAfter === undefined ? { status: 400 } : { status: 429, headers: { 'retry-after': String(retryAfter) } }),
    body: html`<h1>${say('error.title')}</h1>
      <p class="alarm" role="alert">${explanation(error)}</p>
      <p>${say('error.nothing_shared')}</p>
      <div class="actions"><a class="button" href="/">${say('error.go_to', { place: site.name })}</a></div>
      <h2>${say('error.for_developers')}</h2>
      <p class="quiet">
        <code>${error}</code>${error_description ? html`: <span lang="en">${error_description}</span>` : ''}
      </p>
      <p class="quiet">${phrase('error.see_guide', { guide: html`<a href="/auth.md">${say('error.guide')}</a>` })}</p>`,
  });
}

/** A response that failed, in the terms of RFC 6749 §5.2. */
interface Failure {
  readonly status: number;
  readonly error: string;
  /** For developers. */
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

function failureText(status: number): string {
  if (status === 503 || status === 429) return say('failure.temporarily_unavailable');
  if (status >= 500) return say('failure.server_error');
  return status === 413 ? say('failure.too_large') : say('failure.other');
}

/** Shown in place of a page or of the response to a form. */
export function failurePage(site: SiteRecord, { status, error, description, headers }: Failure): Page {
  return page(site, {
    title: say('error.title'),
    status,
    headers,
    body: html`<h1>${say('error.title')}</h1>
      <p class="alarm" role="alert">${failureText(status)}</p>
      <div class="actions"><a class="button" href="/">${say('error.go_to', { place: site.name })}</a></div>
      ${status < 500 && html`<p class="quiet"><code>${error}</code>: <span lang="en">${description}</span></p>`}`,
  });
}

/** Shown after the back button, an old bookmark, another browser, or a page that was left open for too long. */
export function staleInteractionPage(site: SiteRecord): Page {
  return page(site, {
    title: say('stale.title'),
    narrow: true,
    status: 400,
    body: html`<h1>${say('stale.title')}</h1>
      <p class="lead">${say('stale.reason')}</p>
      <p>${say('stale.next')}</p>
      <div class="actions"><a class="button main" href="${ACCOUNT}">${say('stale.to_account')}</a></div>`,
  });
}

/** Shown for a foreign form, an ended session, and a page that was left open. */
export function staleFormPage(site: SiteRecord): Page {
  return page(site, {
    title: say('stale_form.title'),
    narrow: true,
    status: 403,
    body: html`<h1>${say('stale_form.title')}</h1>
      <p class="alarm" role="alert">${say('stale_form.reason')}</p>
      <p>${say('stale_form.cause')}</p>
      <div class="actions"><a class="button main" href="${ACCOUNT}">${say('form.continue_to_account')}</a></div>`,
  });
}
