import { html } from '@lyceum/platform';
import type { SiteRecord } from '#src/sites/site.js';
import { page } from './page.js';
import type { Page } from './page.js';

export interface AuthorizationError {
  readonly error: string;
  readonly error_description?: string | undefined;
  /** Seconds; only for temporary refusals. */
  readonly retryAfter?: number;
}

const MESSAGES: Readonly<Record<string, string>> = {
  invalid_client: 'This site does not know the application that sent you here.',
  invalid_client_metadata: 'The metadata of the application cannot be accepted.',
  invalid_redirect_uri: 'The application asked to send you to an address that is not registered for it.',
  server_error: 'Something went wrong on our side. Go back to the application and try again.',
  temporarily_unavailable: 'The site is busy. Go back to the application and try again in a moment.',
};

/** Error page for people, when redirecting to the application is unsafe or impossible (RFC 6749 §4.1.2.1). */
export function authorizationErrorPage(
  site: SiteRecord,
  { error, error_description, retryAfter }: AuthorizationError,
): Page {
  return page(site, {
    title: 'This request cannot be completed',
    ...(retryAfter === undefined ? { status: 400 } : { status: 429, headers: { 'retry-after': String(retryAfter) } }),
    body: html`<h1>This request cannot be completed</h1>
      <p class="alarm" role="alert">${MESSAGES[error] ?? 'The application sent an incomplete request.'}</p>
      <p>
        Nothing was shared with the application. You can close this page, or go back to the application and try again.
      </p>
      <h2>For the developers of the application</h2>
      <p class="quiet"><code>${error}</code>${error_description ? html`: ${error_description}` : ''}</p>
      <p class="quiet">See <a href="/auth.md">the authentication guide</a>.</p>`,
  });
}

/** Shown after the back button, an old bookmark, another browser, or a page that was left open for too long. */
export function staleInteractionPage(site: SiteRecord): Page {
  return page(site, {
    title: 'This page is no longer valid',
    status: 400,
    body: html`<h1>This page is no longer valid</h1>
      <p>It was already used, or it has expired. Nothing was shared.</p>
      <p>Go back to the application and start again from there.</p>`,
  });
}
