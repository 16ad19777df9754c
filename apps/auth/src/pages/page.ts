import { Html, html } from '@lyceum/platform';
import type { FastifyReply } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';
import { STYLE, STYLE_SOURCE } from './style.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** For lists of many facts. */
  readonly wide?: boolean;
  /** Where a form of the page may lead beside the site itself: Chromium applies `form-action` to redirects too. */
  readonly formTarget?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The source expression that lets a form end at the redirect URI. CSP knows no IPv6 hosts and no hosts of private-use
 * schemes: there it is the scheme.
 */
export function formSource(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return '';
  const named = (url.protocol === 'http:' || url.protocol === 'https:') && !url.hostname.startsWith('[');
  return named ? url.origin : url.protocol;
}

function securityHeaders(formTarget: string | undefined): Record<string, string> {
  const forms = ["'self'", formTarget === undefined ? '' : formSource(formTarget)].filter(Boolean).join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    // The empty icon keeps browsers from asking for one, which the policy would refuse aloud.
    'content-security-policy': `default-src 'none'; img-src data:; style-src ${STYLE_SOURCE}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not `no-referrer`: browsers would send `Origin: null` with the forms, and the origin could not be checked.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** A whole page for people: works without scripts, and none can run in it. */
export function page(site: SiteRecord, content: PageContent): Page {
  const style = new Html(`<style>${STYLE}</style>`);
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${content.title} · ${site.name}</title>
        ${style}
      </head>
      <body${content.wide === true && html` class="wide"`}>
        <header><p>${site.name}</p></header>
        <main>${content.body}</main>
      </body>
    </html>`;
  return {
    status: content.status ?? 200,
    headers: { ...securityHeaders(content.formTarget), ...content.headers },
    body: document.text,
  };
}

/** After a form: the browser asks for another page (RFC 9110 §15.4.4). */
export function go(reply: FastifyReply, location: string): void {
  void reply.header('cache-control', 'no-store').redirect(location, 303);
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page): void {
  void reply.code(status).headers(headers).send(body);
}
