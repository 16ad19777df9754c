import { eventually } from '@lyceum/testing';
import type { Browser, Page } from 'playwright-core';
import { graphql, send } from '../clients/http.js';
import { authorizationRequest, exchange } from '../clients/member-client.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { newPerson } from './deployment.js';
import { type ChosenFile, drawnPicture } from './drawn-picture.js';
import { authorizeInBrowser, type Credentials, signIn } from './sign-in.js';
import { type Visitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';
const ANOTHER = 'another-long-password';

const site = systemStack().sites[0]!;
let browser: Browser;
let visiting: Visitor;
let page: Page;
let person: Credentials;

async function visit(scripts: boolean): Promise<void> {
  visiting = await visitor(browser, site.base_url, { scripts, elsewhere: CALLBACK });
  ({ page } = visiting);
  person = await newPerson(site, 'student');
  await page.goto('/account/profile');
  await signIn(page, person);
}
const upload = async (file: ChosenFile): Promise<void> => {
  await page.getByLabel('Choose a picture').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload picture' }).click();
};
const said = (text: string | RegExp): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
const shown = () => page.getByRole('img', { name: 'Your picture' });
/** Waits for the bytes of the picture. */
const sideOf = (): Promise<number> =>
  shown().evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    return image.naturalWidth;
  });

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => browser.close());
afterEach(async () => {
  expect(visiting.faults.splice(0)).toEqual([]);
  await visiting.context.close();
});

it('uploads a picture without scripts, shows it to applications, and removes it', async () => {
  await visit(false);
  expect(await shown().count()).toBe(0);
  await upload(drawnPicture(96));
  await said('Your picture is saved.');
  expect(await sideOf()).toBe(96);
  const address = `${site.base_url}${await shown().getAttribute('src')}`;
  const tab = await visiting.context.newPage();
  await tab.context().clearCookies();
  const asked = await authorizationRequest(
    site.base_url,
    clientOf(site, 'member', 'public'),
    'openid profile account:read',
  );
  const tokens = await exchange(asked, await authorizeInBrowser(tab, asked.url, person));
  const viewer = await eventually(
    () => graphql<{ viewer: { avatarUrl: string } }>(site.base_url, tokens.access_token, '{ viewer { avatarUrl } }'),
    ({ body }) => body.data?.viewer.avatarUrl !== null,
  );
  const claims = await send(`${site.base_url}/api/oauth/userinfo`, { token: tokens.access_token });
  expect([viewer.body, claims.body]).toMatchObject([
    { data: { viewer: { avatarUrl: address } } },
    { picture: address },
  ]);
  await page.goto('/account/profile');
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await said('Your picture is removed.');
  expect([await shown().count(), (await fetch(address)).status]).toEqual([0, 404]);
});

it('makes a large photo small with scripts, and says without them that it is too large', async () => {
  await visit(true);
  const photo = drawnPicture(1200);
  expect(photo.buffer.length).toBeGreaterThan(4 * 1024 * 1024);
  const field = page.getByLabel('Choose a picture');
  await field.setInputFiles(photo);
  await eventually(
    () => field.evaluate((input) => (input as HTMLInputElement).files![0]!.size),
    (size) => size < 1024 * 1024,
  );
  await page.getByRole('button', { name: 'Upload picture' }).click();
  await said('Your picture is saved.');
  expect(await sideOf()).toBe(512);
  expect(visiting.faults.splice(0)).toEqual([]);
  await visiting.context.close();
  await visit(false);
  await upload(photo);
  await page.getByRole('alert').filter({ hasText: 'larger than 1 MB' }).waitFor();
});

it('changes the password once on a double click without scripts', async () => {
  await visit(false);
  await page.goto('/account/change-password');
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill(ANOTHER);
  await page.getByRole('button', { name: 'Change password' }).dblclick();
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  await said('Your password is changed');
  expect(new URL(page.url()).pathname).toBe('/account');
});
