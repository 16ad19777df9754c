import type { Page } from 'playwright-core';
import { authorizationRequest } from '../clients/member-client.js';
import { clientOf } from '../stack/system-stack.js';
import { ACCOUNT_OF_OWNER, ACCOUNT_OF_STUDENT } from './account-pages.js';
import { OF_ADMIN_AREA } from './admin-pages.js';
import { newAddress } from './deployment.js';
import { at, forced, forged } from './opening.js';
import type { KnownPage, Opening } from './opening.js';
import type { Scene } from './scene.js';
import { signIn } from './sign-in.js';

async function authorization({ site }: Scene, client_id: string, scope: string): Promise<string> {
  return (await authorizationRequest(site.base_url, { client_id }, scope)).url.href;
}

export const member: Opening = async (page, scene) => {
  const { client_id } = clientOf(scene.site, 'member', 'public');
  return page.goto(await authorization(scene, client_id, 'openid account:read account:write'));
};

const operator: Opening = async (page, scene) => {
  const { client_id } = clientOf(scene.site, 'operator', 'public');
  return page.goto(await authorization(scene, client_id, 'openid profile email courses:read courses:write'));
};

const someAddress = async (page: Page): Promise<void> => page.getByLabel('Email address').fill(newAddress());

export const ANONYMOUS: readonly KnownPage[] = [
  { name: 'landing', heading: /./, open: at('/') },
  { name: 'guides', heading: 'Guides', open: at('/docs/guides') },
  { name: 'guide', heading: 'First call', open: at('/docs/guides/first-call') },
  { name: 'guide with tables', heading: 'Errors', open: at('/docs/guides/errors') },
  { name: 'authentication guide', heading: /^Authentication at /, open: at('/auth.md') },
  { name: 'connect', heading: /^Connect to /, open: at('/connect') },
  { name: 'errors', heading: 'Errors', open: at('/docs/errors') },
  { name: 'error', heading: 'invalid_token', open: at('/docs/errors/invalid_token') },
  { name: 'no such error', heading: 'The page does not exist', open: at('/docs/errors/x') },
  { name: 'no such page of connections', heading: 'The page does not exist', open: at('/connect/x') },
  { name: 'no such page of members', heading: 'The page does not exist', open: at('/member/x') },
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
  { name: 'signed out', heading: 'You are signed out', open: at('/oauth/logout/done') },
  { name: 'stale interaction', heading: 'This page is no longer valid', open: at('/oauth/interaction/none') },
];

export const OF_STUDENT: readonly KnownPage[] = [
  ...ACCOUNT_OF_STUDENT,
  {
    name: 'refusal of an operator client',
    heading: /^You cannot allow/,
    open: operator,
  },
  { name: 'admin area, closed', heading: 'This page is for owners and admins', open: at('/admin') },
];

export const OF_OWNER: readonly KnownPage[] = [
  {
    name: 'choice of an account',
    heading: 'Choose an account',
    open: async (page, scene) => {
      const { client_id } = clientOf(scene.site, 'member', 'public');
      await page.goto(`${await authorization(scene, client_id, 'openid account:read')}&prompt=select_account`);
    },
  },
  {
    name: 'sign-out',
    heading: /^Sign out of /,
    open: at('/oauth/logout'),
  },
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
    heading: /^Allow “A reader of courses” at .+ Unverified$/,
    open: async (page, scene) => page.goto(await authorization(scene, scene.documentClient, 'openid courses:read')),
  },
  {
    name: 'consent, registered',
    heading: /^Allow “A tool on a laptop” at .+ Unverified$/,
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
    name: 'disconnect',
    heading: 'Disconnect A tool on a laptop?',
    open: async (page) => {
      await page.goto('/account');
      await page.getByRole('button', { name: 'Disconnect A tool on a laptop' }).click();
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
      await page.getByRole('heading', { name: 'Chrome on Linux' }).first().waitFor();
    },
  },
  ...ACCOUNT_OF_OWNER,
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
  { name: 'sign-out everywhere', heading: 'Sign out everywhere?', open: at('/account/sign-out-everywhere') },
  ...OF_ADMIN_AREA,
];
