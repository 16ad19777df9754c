import { hash } from 'node:crypto';
import { Html, html } from '@lyceum/platform';
import type { FastifyReply } from 'fastify';
import type { SiteAppearance } from '#src/appearances/appearance.js';
import type { SiteRecord } from '#src/sites/site.js';
import { STYLE } from './style.js';
import { themeStyle } from './theme.policy.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A script of the service, bound to its content (Subresource Integrity). */
export interface Script {
  readonly path: string;
  readonly integrity: string;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Wider, for tables. */
  readonly wide?: boolean;
  /** The target of a form beside the site itself: Chromium applies `form-action` to redirects too. */
  readonly formTarget?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only script that can run on the page; none when absent. */
  readonly script?: Script | undefined;
}

/**
 * A host that a header can contain: URLs allow `;` and `,` in hosts, which end a directive and a policy, and CSP has no
 * IPv6.
 */
const hasPlainHost = ({ host }: URL): boolean => /^[a-z0-9._:-]+$/.test(host);

/**
 * The source expression for the redirect URI of a form: its origin, or its scheme where CSP cannot express the host.
 */
export function formSource(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return '';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && hasPlainHost(url) ? url.origin : url.protocol;
}

/** An image that a page may show. */
function pictureAt(text: string | null): URL | undefined {
  const url = URL.parse(text ?? '');
  return url?.protocol === 'https:' && hasPlainHost(url) ? url : undefined;
}

/** `style`: the source expression for exactly this style (CSP Level 3 §2.3.1). */
function securityHeaders(
  { logo_url, favicon_url }: SiteAppearance,
  style: string,
  { formTarget, script }: PageContent,
): Record<string, string> {
  const forms = ["'self'", formTarget === undefined ? '' : formSource(formTarget)].filter(Boolean).join(' ');
  const pictures = [logo_url, favicon_url].map((text) => pictureAt(text)?.origin);
  const images = [...new Set(['data:', ...pictures])].filter(Boolean).join(' ');
  const scripts = script === undefined ? '' : `script-src '${script.integrity}'; `;
  return {
    'content-type': 'text/html; charset=utf-8',
    // The empty icon prevents a request for one, which the policy would report.
    'content-security-policy': `default-src 'none'; ${scripts}img-src ${images}; style-src ${style}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not `no-referrer`: browsers would send `Origin: null` with the forms, and the origin could not be checked.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** The logo box and the name reserve the space before the image loads, and when it fails. */
function siteName({ name, appearance: { logo_url } }: SiteRecord): string | Html {
  const logo = pictureAt(logo_url);
  return logo === undefined ? name : html`<img class="logo" src="${logo.href}" alt="${name}" />`;
}

/** A page for people. It works without scripts and runs only the named one. */
export function page(site: SiteRecord, content: PageContent): Page {
  const { appearance } = site;
  const { script } = content;
  const style = STYLE + themeStyle(appearance.theme);
  const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${pictureAt(appearance.favicon_url)?.href ?? 'data:,'}" />
        <title>${content.title} · ${site.name}</title>
        ${new Html(`<style>${style}</style>`)}
        ${script && html`<script src="${script.path}" integrity="${script.integrity}" defer></script>`}
      </head>
      <body${content.wide === true && html` class="wide"`}>
        <header><p>${siteName(site)}</p></header>
        <main>${content.body}</main>
      </body>
    </html>`;
  return {
    status: content.status ?? 200,
    headers: { ...securityHeaders(appearance, styleSource, content), ...content.headers },
    body: document.text,
  };
}

/** Redirects after a form with GET (RFC 9110 §15.4.4). */
export function go(reply: FastifyReply, location: string): void {
  void reply.header('cache-control', 'no-store').redirect(location, 303);
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page): void {
  void reply.code(status).headers(headers).send(body);
}
