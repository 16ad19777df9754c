import { Html, html } from '@lyceum/platform';

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // The address holds the token.
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const page = (site: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Mails of ${site}</title>
      </head>
      <body>
        <main>
          <h1>Mails of ${site}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;

/** Asks first: programs that look into mails follow links (RFC 8058 §1). The form goes to the address of the page. */
export const askPage = (site: string): string =>
  page(
    site,
    html`<p>Do you want no more mails of this kind? You will still be told in your inbox.</p>
      <form method="post"><button type="submit">No more mails of this kind</button></form>`,
  );

export const donePage = (site: string): string =>
  page(site, html`<p>You will get no more mails of this kind. In your account you can ask for them again.</p>`);
