import type { Page } from 'playwright-core';
import { authorizationRequest } from '../clients/member-client.js';
import { send } from '../clients/http.js';
import { sql } from '../discovery/walker.js';
import { command } from '../stack/auth-command.js';
import { clientOf, type SystemSite } from '../stack/system-stack.js';
import { documentClient, invited, newAddress, newPerson } from './deployment.js';
import { type Credentials, signIn } from './sign-in.js';

/** Data that the pages show, created once. */
export interface Scene {
  readonly site: SystemSite;
  readonly owner: Credentials;
  readonly student: Credentials;
  readonly invitation: string;
  /** A password-reset link of a person who has a passkey. */
  readonly reset: string;
  readonly documentClient: string;
  readonly registeredClient: string;
}

export async function scene(page: Page, site: SystemSite): Promise<Scene> {
  await command('site', 'mcp-connections', '--site', site.base_url);
  const owner = await newPerson(page, site, 'owner');
  const student = await newPerson(page, site, 'student');
  const { link } = await invited(site, 'student');
  await sql(
    `INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
     SELECT $1, person_id, 'Phone', uuid_send(uuidv7()), '', 0, false, false, '{}' FROM people WHERE email = $2`,
    site.site_id,
    student.email,
  );
  const reset = await command('person', 'reset-password', '--site', site.base_url, '--email', student.email);
  const registered = await send<{ client_id: string }>(`${site.base_url}/api/oauth/register`, {
    json: { client_name: 'A tool on a laptop', redirect_uris: ['http://127.0.0.1:7777/callback'] },
  });
  // Fills more than one page of the audit log.
  await sql(
    `INSERT INTO audit_log (event, site_id, client_id, details)
     SELECT 'sign_in.failed', $1, 'a-client', jsonb_build_object('n', n) FROM generate_series(1, 60) n`,
    site.site_id,
  );
  return {
    site,
    owner,
    student,
    invitation: link,
    reset: String(reset['link']),
    documentClient: await documentClient(site, 'A reader of courses'),
    registeredClient: registered.body.client_id,
  };
}

type Opening = (page: Page, scene: Scene) => Promise<unknown>;

const at =
  (path: string): Opening =>
  (page) =>
    page.goto(path);

async function authorization({ site }: Scene, client_id: string, scope: string): Promise<string> {
  return (await authorizationRequest(site.base_url, { client_id }, scope)).url.href;
}

const member: Opening = async (page, scene) => {
  const { client_id } = clientOf(scene.site, 'member', 'public');
  return page.goto(await authorization(scene, client_id, 'openid account:read account:write'));
};

const operator: Opening = async (page, scene) => {
  const { client_id } = clientOf(scene.site, 'operator', 'public');
  return page.goto(await authorization(scene, client_id, 'openid profile email courses:read courses:write'));
};

/** Submits invalid values past the checks of the browser. */
async function forced(
  page: Page,
  fields: Readonly<Record<string, string>>,
  button: string,
  password?: string,
): Promise<void> {
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  for (const [label, value] of Object.entries(fields)) await page.getByRole('textbox', { name: label }).fill(value);
  // A password field has no role of its own (HTML-AAM).
  if (password !== undefined) await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: button }).click();
}

/** Submits the form like a page of another session. */
async function forged(page: Page, button: string): Promise<void> {
  await page.evaluate(`for (const field of document.querySelectorAll('input[name=csrf]')) field.value = 'forged'`);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const someAddress = async (page: Page): Promise<void> => page.getByLabel('E-mail address').fill(newAddress());

export interface KnownPage {
  readonly name: string;
  /** A selector on the expected final page. */
  readonly heading: string | RegExp;
  readonly open: Opening;
}

export const ANONYMOUS: readonly KnownPage[] = [
  { name: 'landing', heading: /./, open: at('/') },
  { name: 'sign-in for an application', heading: 'Sign in', open: member },
  {
    name: 'sign-in for an application, refused',
    heading: 'Sign in',
    open: async (page, scene) => {
      await member(page, scene);
      await signIn(page, { email: newAddress(), password: 'wrong-password-1' });
    },
  },
  { name: 'sign-in', heading: 'Sign in', open: at('/account') },
  {
    name: 'sign-in, refused',
    heading: 'Sign in',
    open: async (page) => {
      await page.goto('/account/sign-in');
      await signIn(page, { email: newAddress(), password: 'wrong-password-1' });
    },
  },
  { name: 'password reset', heading: 'Reset your password', open: at('/account/password') },
  {
    name: 'password reset, forged',
    heading: 'Reset your password',
    open: async (page) => {
      await page.goto('/account/password');
      await someAddress(page);
      await forged(page, 'Send the link');
    },
  },
  {
    name: 'password reset, sent',
    heading: 'Check your email',
    open: async (page) => {
      await page.goto('/account/password');
      await someAddress(page);
      await page.getByRole('button', { name: 'Send the link' }).click();
    },
  },
  { name: 'invitation', heading: 'Set your password', open: (page, { invitation }) => page.goto(invitation) },
  {
    name: 'invitation, password too short',
    heading: 'Set your password',
    open: async (page, { invitation }) => {
      await page.goto(invitation);
      await forced(page, {}, 'Set password', 'short');
    },
  },
  {
    name: 'password reset, with passkeys',
    heading: 'Set your password',
    open: async (page, { reset }) => {
      await page.goto(reset);
      await page.getByRole('checkbox', { name: 'Keep Phone' }).waitFor();
    },
  },
  { name: 'invitation, over', heading: 'This link is no longer valid', open: at('/account/invitation?token=none') },
  {
    name: 'authorization error',
    heading: 'This request cannot be completed',
    open: at('/oauth/authorize?client_id=unknown&response_type=code'),
  },
  { name: 'stale interaction', heading: 'This page is no longer valid', open: at('/oauth/interaction/none') },
];

export const OF_STUDENT: readonly KnownPage[] = [
  {
    name: 'refusal of an operator client',
    heading: /^You cannot allow/,
    open: operator,
  },
  { name: 'admin area, closed', heading: 'The page does not exist', open: at('/admin') },
];

export const OF_OWNER: readonly KnownPage[] = [
  { name: 'consent, member', heading: /^Allow .+ at /, open: member },
  { name: 'consent, operator', heading: /^Allow .+ at /, open: operator },
  {
    name: 'consent, forged',
    heading: /^Allow .+ at /,
    open: async (page, scene) => {
      await operator(page, scene);
      await forged(page, 'Allow');
    },
  },
  {
    name: 'consent, document',
    heading: 'Allow A reader of courses at',
    open: async (page, scene) => page.goto(await authorization(scene, scene.documentClient, 'openid courses:read')),
  },
  {
    name: 'consent, registered',
    heading: 'Allow A tool on a laptop at',
    open: async (page, scene) => page.goto(await authorization(scene, scene.registeredClient, 'openid courses:read')),
  },
  {
    name: 'account, with an application',
    heading: 'Your account',
    open: async (page, scene) => {
      // In a separate tab: no server listens at the redirect URI.
      const tab = await page.context().newPage();
      await tab.goto(await authorization(scene, scene.registeredClient, 'openid courses:read courses:write'));
      const sentBack = tab.waitForRequest((request) => request.url().startsWith('http://127.0.0.1:7777/callback'));
      await tab.getByRole('button', { name: 'Allow', exact: true }).click();
      await sentBack;
      await tab.close();
      await page.goto('/account');
      await page.getByRole('button', { name: 'Disconnect A tool on a laptop' }).waitFor();
    },
  },
  {
    name: 'account, signed in elsewhere too',
    heading: 'Your account',
    open: async (page, { site, owner }) => {
      const elsewhere = await page.context().browser()!.newContext({ baseURL: site.base_url });
      const other = await elsewhere.newPage();
      await other.goto('/account');
      await signIn(other, owner);
      await other.getByRole('heading', { name: 'Your account' }).waitFor();
      await elsewhere.close();
      await page.goto('/account');
      await page.getByRole('heading', { name: 'Another browser' }).first().waitFor();
    },
  },
  { name: 'password change', heading: 'Change your password', open: at('/account/change-password') },
  {
    name: 'password change, refused',
    heading: 'Change your password',
    open: async (page) => {
      await page.goto('/account/change-password');
      await page.getByLabel('Current password').fill('wrong-password-1');
      await page.getByLabel('New password').fill('another-long-password');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'account, forged',
    heading: 'Nothing was done',
    open: async (page) => {
      await page.goto('/account');
      await forged(page, 'Sign out');
    },
  },
  { name: 'admin area', heading: 'Admin area', open: at('/admin') },
  {
    name: 'application, created',
    heading: 'A server was created',
    open: async (page) => {
      await page.goto('/admin/applications');
      await page.getByRole('textbox', { name: 'Name' }).fill('A server');
      await page.getByLabel('Redirect URIs').fill('https://server.example.com/callback');
      await page.getByLabel('Kind').selectOption('confidential');
      await page.getByRole('button', { name: 'Create' }).click();
    },
  },
  {
    name: 'applications, refused',
    heading: 'OAuth applications',
    open: async (page) => {
      await page.goto('/admin/applications');
      await forced(page, { Name: 'Wrong', 'Redirect URIs': 'http://app.example.com/cb' }, 'Create');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'reviews', heading: 'Applications that describe themselves', open: at('/admin/reviews') },
  { name: 'activity', heading: 'Activity', open: at('/admin/activity') },
  { name: 'audit log', heading: 'Audit log', open: at('/admin/audit') },
  {
    name: 'no such admin page',
    heading: 'The page does not exist',
    open: async (page) => {
      await page.goto('/admin/reviews');
      await page.evaluate(
        `for (const field of document.querySelectorAll('input[name=client_id]')) field.value = 'gone'`,
      );
      await page.getByRole('button', { name: 'Approve' }).first().click();
    },
  },
];
