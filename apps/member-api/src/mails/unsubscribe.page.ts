import { Html, html } from '@lyceum/platform';

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // The URL contains the token.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const page = (site: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Emails of ${site}</title>
      </head>
      <body>
        <main>
          <h1>Emails of ${site}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;

/** A confirmation page, because mail scanners follow links (RFC 8058 §1). The form posts to the URL of the page. */
export const askPage = (site: string): string =>
  page(
    site,
    html`<p>Unsubscribe from emails of this kind? You will still receive these notifications in your inbox.</p>
      <form method="post"><button type="submit">Unsubscribe</button></form>`,
  );

export const donePage = (site: string): string =>
  page(site, html`<p>You are unsubscribed from emails of this kind. You can subscribe again in your account.</p>`);
