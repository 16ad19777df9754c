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

/** A script of ours, bound to its content (Subresource Integrity). */
export interface Script {
  readonly path: string;
  readonly integrity: string;
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
  /** The only one that can run in it; none when it is absent. */
  readonly script?: Script | undefined;
}

/** A host that a header can name: URLs allow `;` and `,` in hosts, which end a directive and a policy, CSP no IPv6. */
const hasPlainHost = ({ host }: URL): boolean => /^[a-z0-9._:-]+$/.test(host);

/** The source expression that lets a form end at the redirect URI: its origin, or its scheme where CSP knows no host. */
export function formSource(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return '';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && hasPlainHost(url) ? url.origin : url.protocol;
}

/** A picture that a page may show. */
function pictureAt(text: string | null): URL | undefined {
  const url = URL.parse(text ?? '');
  return url?.protocol === 'https:' && hasPlainHost(url) ? url : undefined;
}

/** `style`: the source expression for exactly the style of the page (CSP Level 3 §2.3.1). */
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
    // The empty icon keeps browsers from asking for one, which the policy would refuse aloud.
    'content-security-policy': `default-src 'none'; ${scripts}img-src ${images}; style-src ${style}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not `no-referrer`: browsers would send `Origin: null` with the forms, and the origin could not be checked.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** A logo has its box and the name before it is there, and when it never comes. */
function siteName({ name, appearance: { logo_url } }: SiteRecord): string | Html {
  const logo = pictureAt(logo_url);
  return logo === undefined ? name : html`<img class="logo" src="${logo.href}" alt="${name}" />`;
}

/** A whole page for people: works without scripts, and none can run in it but the one that it names. */
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

/** After a form: the browser asks for another page (RFC 9110 §15.4.4). */
export function go(reply: FastifyReply, location: string): void {
  void reply.header('cache-control', 'no-store').redirect(location, 303);
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page): void {
  void reply.code(status).headers(headers).send(body);
}
