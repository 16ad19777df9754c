import type { Page } from 'playwright-core';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Types and clicks what a person would on the sign-in page. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Follows an authorization request through sign-in and consent and gives the URL that the browser was sent back to.
 * The redirect URI need not be served: the request for it is answered here.
 */
export async function authorizeInBrowser(page: Page, url: URL, person: Credentials): Promise<URL> {
  const redirectUri = url.searchParams.get('redirect_uri') ?? '';
  await page.route(
    (requested) => requested.href.startsWith(redirectUri),
    (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<title>Back at the application</title>' }),
  );
  await page.goto(url.href);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL((reached) => reached.href.startsWith(redirectUri));
  return new URL(page.url());
}
