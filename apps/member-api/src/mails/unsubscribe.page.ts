import { readerLanguage, say } from '@lyceum/messages';
import { Html, html } from '@lyceum/platform';

export const pageHeaders = (): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // The URL contains the token.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-language': readerLanguage(),
  vary: 'Accept-Language',
});

const page = (site: string, body: Html): string =>
  html`<!doctype html>
    <html lang="${readerLanguage()}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${say('unsubscribe.title', { site })}</title>
      </head>
      <body>
        <main>
          <h1>${say('unsubscribe.title', { site })}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;

/** A confirmation page, because mail scanners follow links (RFC 8058 §1). The form posts to the URL of the page. */
export const askPage = (site: string): string =>
  page(
    site,
    html`<p>${say('unsubscribe.question')}</p>
      <form method="post"><button type="submit">${say('unsubscribe.button')}</button></form>`,
  );

export const donePage = (site: string): string => page(site, html`<p>${say('unsubscribe.done')}</p>`);
