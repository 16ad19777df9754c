import type { CDPSession, Page } from 'playwright-core';
import { authorizationRequest, exchange } from '../clients/member-client.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { violations } from './axe.js';
import { newPerson } from './deployment.js';
import { type Credentials, redirected, signIn } from './sign-in.js';
import { useVisitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';

describe('passkeys', () => {
  // An IP address cannot be an RP ID. This site has a host name.
  const site = systemStack().sites[0]!;
  const client = clientOf(site, 'member', 'public');
  let page: Page;
  let person: Credentials;
  let device: CDPSession;
  let authenticatorId: string;

  const visiting = useVisitor(site.base_url, { scripts: true, elsewhere: CALLBACK }, async () => {
    ({ page } = visiting);
    person = await newPerson(site, 'student');
    device = await visiting.context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        // Waits like a person when no prompt appears.
        automaticPresenceSimulation: false,
      },
    }));
  });

  const heading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const signOut = (): Promise<void> =>
    page.getByRole('button', { name: 'Sign out', exact: true, description: 'This browser' }).click();
  const touches = (enabled: boolean): Promise<unknown> =>
    device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  const verifies = (isUserVerified: boolean): Promise<unknown> =>
    device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });

  it('adds a passkey at the account after the password', async () => {
    await page.goto('/account');
    await signIn(page, person);
    await page.getByRole('link', { name: 'Your passkeys' }).click();
    await heading('Your passkeys');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Current password').fill(person.password);
    await press('Continue');
    await heading('Add a passkey');
    expect(await page.getByText('Your browser cannot create a passkey').isVisible()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await touches(true);
    await page.getByRole('textbox', { name: 'Name' }).fill('A device of tests');
    await press('Create the passkey');
    await page.getByRole('heading', { name: 'A device of tests' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost', userName: person.email }]);
  });

  it('shows an error when the device already has a passkey', async () => {
    await page.getByLabel('Current password').fill(person.password);
    await press('Continue');
    await heading('Add a passkey');
    await press('Create the passkey');
    await page.getByText('This device already has a passkey for your account.').waitFor();
    await page.getByRole('link', { name: 'Back to your passkeys' }).click();
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(1);
  });

  it('offers the passkey among the suggestions of the sign-in page', async () => {
    await page.goto('/account');
    const suggested = page.waitForRequest(
      (sent) => sent.method() === 'POST' && sent.url().endsWith('/account/sign-in'),
    );
    await signOut();
    // The test browser accepts the suggestion automatically.
    expect((await suggested).postData()).toContain('credential=%7B');
    await heading('Your account');
  });

  it('signs in to an application with a user-verified passkey', async () => {
    await page.goto('/account');
    await touches(false);
    await signOut();
    await heading('Sign in');
    const authorization = await authorizationRequest(site.base_url, client, 'openid account:read');
    await page.goto(authorization.url.href);
    await heading('Sign in');
    expect(await violations(page)).toEqual([]);
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('username webauthn');
    await verifies(false);
    await touches(true);
    await press('Sign in with a passkey');
    await page.getByText('No passkey was used.').waitFor();
    await verifies(true);
    await press('Sign in with a passkey');
    await heading(`Allow Demo member app at ${site.name}?`);
    expect(await page.getByRole('main').innerText()).toContain(person.email);
    const sentBack = await redirected(page, CALLBACK, () => press('Allow'));
    const { access_token } = await exchange(authorization, sentBack);
    expect(access_token).toMatch(/./);
  });

  it('needs scripts only for the passkey itself', async () => {
    const { page: plain, faults, context } = await visitor(visiting.browser, site.base_url, { scripts: false });
    await plain.goto('/account/sign-in');
    await plain.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await plain.getByRole('button').allInnerTexts()).toEqual(['Sign in']);
    await signIn(plain, person);
    await plain.goto('/account/passkeys');
    await plain.getByText('Rename A device of tests').click();
    await plain.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await plain.getByRole('button', { name: 'Save' }).click();
    await plain.getByLabel('Current password').fill(person.password);
    await plain.getByRole('button', { name: 'Continue' }).click();
    await plain.getByText('Your browser cannot create a passkey').waitFor();
    expect(await plain.getByRole('button').count()).toBe(0);
    await plain.getByRole('link', { name: 'Back to your passkeys' }).click();
    await plain.getByRole('button', { name: 'Remove Renamed' }).click();
    await plain.getByRole('button', { name: 'Remove the passkey' }).click();
    await plain.getByRole('heading', { name: 'Renamed' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });
});
