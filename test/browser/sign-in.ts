import type { Page } from 'playwright-core';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Types and clicks like a person on the sign-in page. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Follows an authorization request through sign-in and consent. Returns the URL of the final redirect.
 * No server needs to listen there.
 */
export async function authorizeInBrowser(page: Page, url: URL, person: Credentials): Promise<URL> {
  const redirectUri = url.searchParams.get('redirect_uri') ?? '';
  const sentBack = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.goto(url.href);
  await signIn(page, person);
  // A remembered approval skips the consent page.
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await Promise.race([sentBack, allow.click().catch(() => undefined)]);
  return new URL((await sentBack).url());
}
