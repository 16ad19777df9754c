import type { Page } from 'playwright-core';
import { mailedLink, newAddress } from './deployment.js';
import { member } from './every-page.js';
import { at, forced, type KnownPage } from './opening.js';

/** Requests a link by email, and returns it. */
async function emailLink(page: Page, path: string, email: string, words: string): Promise<string> {
  await page.goto(path);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  return mailedLink(email, words);
}

const signUp = (page: Page): Promise<string> =>
  emailLink(page, '/account/sign-up', newAddress(), 'Create your account');

/** The pages of sign-up and of sign-in links, for anonymous visitors. */
export const EMAIL_LINK_PAGES: readonly KnownPage[] = [
  { name: 'sign-up', heading: 'Create an account', open: at('/account/sign-up') },
  {
    name: 'sign-up for an application',
    heading: 'Create an account',
    open: async (page, scene) => {
      await member(page, scene);
      await page.getByRole('link', { name: 'Create an account' }).click();
    },
  },
  {
    name: 'sign-up, refused',
    heading: 'Create an account',
    open: async (page) => {
      await page.goto('/account/sign-up');
      await forced(page, { 'Email address': 'no address' }, 'Send the link');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'sign-up, sent', heading: 'Check your email', open: signUp },
  { name: 'sign-up, confirmed', heading: 'Create your account', open: async (page) => page.goto(await signUp(page)) },
  {
    name: 'sign-up, password too short',
    heading: 'Create your account',
    open: async (page) => {
      await page.goto(await signUp(page));
      await forced(page, { Name: 'Zoë Walker' }, 'Create account', 'short');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'sign-in by email', heading: 'Sign in by email', open: at('/account/sign-in-link') },
  {
    name: 'sign-in link',
    heading: 'Sign in',
    open: async (page, { owner }) => {
      await page.goto(await emailLink(page, '/account/sign-in-link', owner.email, 'Sign in'));
      await page.getByText(owner.email).waitFor();
    },
  },
  {
    name: 'sign-in link, in another browser',
    heading: 'Sign in',
    open: async (page, { student }) => {
      const link = await emailLink(page, '/account/sign-in-link', student.email, 'Sign in');
      await page.context().clearCookies();
      await page.goto(link);
      await page.getByRole('button', { name: 'Sign in with this browser' }).waitFor();
    },
  },
  { name: 'email link, over', heading: 'This link is no longer valid', open: at('/account/email-link?token=none') },
];
