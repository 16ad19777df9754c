import { at, forced } from './opening.js';
import type { KnownPage, Opening } from './opening.js';

/** Opens a link of the change of an email address, which the scene has requested. */
const emailChangeLink =
  (side: 'approval' | 'confirmation'): Opening =>
  (page, { emailLinks }) =>
    page.goto(emailLinks[side]);

/** Pages of the account of a student. The order matters: the change of the address is confirmed, and then refused. */
export const ACCOUNT_OF_STUDENT: readonly KnownPage[] = [
  { name: 'leaving', heading: /^Leave .+\?$/, open: at('/account/leave') },
  {
    name: 'leaving, wrong password',
    heading: /^Leave .+\?$/,
    open: async (page) => {
      await page.goto('/account/leave');
      await page.getByLabel('Current password').fill('wrong-password-1');
      await page.getByRole('button', { name: 'Leave and erase my data' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'email change', heading: 'Change your email address', open: at('/account/email') },
  { name: 'email change, approval', heading: 'Approve your new email address?', open: emailChangeLink('approval') },
  {
    name: 'email change, confirmation',
    heading: 'Confirm your new email address?',
    open: emailChangeLink('confirmation'),
  },
  {
    name: 'email change, confirmed',
    heading: 'You confirmed the address',
    open: async (page, scene) => {
      await emailChangeLink('confirmation')(page, scene);
      const confirm = page.getByRole('button', { name: 'Confirm' });
      if (await confirm.isVisible()) await confirm.click();
    },
  },
  {
    name: 'email change, waiting',
    heading: 'Change your email address',
    open: async (page) => {
      await page.goto('/account/email');
      await page.getByText('Cancel the change').waitFor();
    },
  },
  {
    name: 'email change, refused',
    heading: 'The address stays as it is',
    open: async (page, scene) => {
      await emailChangeLink('approval')(page, scene);
      await page.getByRole('button', { name: 'Refuse' }).click();
    },
  },
];

export const ACCOUNT_OF_OWNER: readonly KnownPage[] = [
  {
    name: 'email change, refused address',
    heading: 'Change your email address',
    open: async (page) => {
      await page.goto('/account/email');
      await forced(page, { 'New email address': 'no address' }, 'Continue');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'email change, over', heading: 'This link is no longer valid', open: at('/account/email/link?token=none') },
  { name: 'own data', heading: 'Download your data', open: at('/account/export') },
  { name: 'leaving, an owner', heading: 'An owner cannot leave', open: at('/account/leave') },
  { name: 'profile', heading: 'Your profile', open: at('/account/profile') },
  {
    name: 'profile, refused',
    heading: 'Your profile',
    open: async (page) => {
      await page.goto('/account/profile');
      await forced(page, { 'Phone number': '0912' }, 'Save');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'profile, refused picture',
    heading: 'Your profile',
    open: async (page) => {
      await page.goto('/account/profile');
      const file = { name: 'me.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
      await page.getByLabel('Choose a picture').setInputFiles(file);
      await page.getByRole('button', { name: 'Upload picture' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
];
