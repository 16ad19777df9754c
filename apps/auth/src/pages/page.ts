import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { readerLanguage, say } from '@lyceum/messages';
import type { Language } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';
import type { FastifyReply } from 'fastify';
import type { SiteAppearance } from '#src/appearances/appearance.js';
import type { SiteRecord } from '#src/sites/site.js';
import { PAGE_SCRIPT, isEnhanced } from './page.script.js';
import type { Script } from './script-file.js';
import { STYLE } from './style.js';
import { themeStyle } from './theme.policy.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A file that is sent while it is made. */
export interface Download extends Omit<Page, 'body'> {
  readonly body: Readable;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Wider, for tables. */
  readonly wide?: boolean;
  /** One form with buttons of full width, such as a sign-in. */
  readonly narrow?: boolean;
  /** The target of a form beside the site itself: Chromium applies `form-action` to redirects too. */
  readonly formTarget?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shows an image of the service itself. */
  readonly ownImage?: boolean;
  /** The https URL of an image elsewhere that the page shows. */
  readonly picture?: string | null;
  /** A script that the page needs. The only further one is PAGE_SCRIPT, where the page has something for it. */
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

interface Picture {
  readonly href: string;
  /** Source expression. */
  readonly source: string;
}

/** The path of a file of the site, which admin-api serves. */
const FILE_PATH = /^\/files\/public\/[0-9a-f-]{36}$/;

/** An image that a page may show. */
function pictureAt(text: string | null): Picture | undefined {
  if (text !== null && FILE_PATH.test(text)) return { href: text, source: "'self'" };
  const url = URL.parse(text ?? '');
  return url?.protocol === 'https:' && hasPlainHost(url) ? { href: url.href, source: url.origin } : undefined;
}

/** `style`: the source expression for exactly this style (CSP Level 3 §2.3.1). */
function securityHeaders(
  { logo_url, favicon_url }: SiteAppearance,
  style: string,
  { formTarget, ownImage, picture = null }: PageContent,
  scripts: readonly Script[],
): Record<string, string> {
  const forms = ["'self'", formTarget === undefined ? '' : formSource(formTarget)].filter(Boolean).join(' ');
  const pictures = [logo_url, favicon_url, picture].map((text) => pictureAt(text)?.source);
  const images = [...new Set(['data:', ...pictures, ownImage === true && "'self'"])].filter(Boolean).join(' ');
  const sources = scripts.map(({ integrity }) => `'${integrity}'`).join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    // The empty icon prevents a request for one, which the policy would report.
    'content-security-policy': `default-src 'none'; ${sources && `script-src ${sources}; `}img-src ${images}; style-src ${style}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Not `no-referrer`: browsers would send `Origin: null` with the forms, and the origin could not be checked.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** The first character of a name, for a tile in place of a logo. */
export const initialOf = (name: string): string => (Array.from(name.trim())[0] ?? '').toUpperCase();

/** The logo box and the name reserve the space before the image loads, and when it fails. */
function brand({ name, appearance: { logo_url } }: SiteRecord): Html {
  const logo = pictureAt(logo_url);
  return logo === undefined
    ? html`<p class="initial" data-initial="${initialOf(name)}"><bdi>${name}</bdi></p>`
    : html`<p><img class="logo" src="${logo.href}" alt="${name}" /></p>`;
}

/** The scripts of a page: the one that it needs, and the script for fields and copies where it has them. */
const scriptsOf = ({ script, body }: PageContent): Script[] =>
  [script, isEnhanced(body) ? PAGE_SCRIPT : undefined].filter((one) => one !== undefined);

const widthOf = ({ wide, narrow }: PageContent): Html | false =>
  (wide === true && html` class="wide"`) || (narrow === true && html` class="narrow"`);

/** The language depends on more than the URL: on the person, and on the browser. */
export const languageHeaders = (language: Language): Record<string, string> => ({
  'content-language': language,
  vary: 'Accept-Language, Cookie',
});

/** The words of the buttons that the script adds; it has the English ones itself. */
const scriptWords = (language: Language): Html | false =>
  language !== 'en' &&
  html` data-show="${say('script.show')}" data-hide="${say('script.hide')}" data-password="${say('script.password')}"
  data-copy-word="${say('script.copy')}" data-copied="${say('script.copied')}"`;

/** A page for people, in the language of the reader. It works without scripts and runs only the named ones. */
export function page(site: SiteRecord, content: PageContent): Page {
  const { appearance } = site;
  const scripts = scriptsOf(content);
  const language = readerLanguage();
  const style = STYLE + themeStyle(appearance.theme);
  const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
  const document = html`<!doctype html>
    <html lang="${language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${pictureAt(appearance.favicon_url)?.href ?? 'data:,'}" />
        <title>${content.title} · ${site.name}</title>
        ${new Html(`<style>${style}</style>`)}
        ${scripts.map(({ path, integrity }) => html`<script src="${path}" integrity="${integrity}" defer></script>`)}
      </head>
      <body${widthOf(content)}${isEnhanced(content.body) && scriptWords(language)}>
        <header>${brand(site)}</header>
        <main>${content.body}</main>
      </body>
    </html>`;
  return {
    status: content.status ?? 200,
    headers: {
      ...securityHeaders(appearance, styleSource, content, scripts),
      ...languageHeaders(language),
      ...content.headers,
    },
    body: document.text,
  };
}

/** Redirects after a form with GET (RFC 9110 §15.4.4). */
export function go(reply: FastifyReply, location: string): void {
  void reply.header('cache-control', 'no-store').redirect(location, 303);
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page | Download): void {
  void reply.code(status).headers(headers).send(body);
}
