import { eventually } from '@lyceum/testing';
import type { Locator, Page } from 'playwright-core';
import { siteZip } from '../clients/page-bundle.js';
import { violations } from './axe.js';
import { type ChosenFile, drawnPicture } from './drawn-picture.js';
import { createSite, type OwnSite } from './separate-site.js';
import { signIn } from './sign-in.js';
import { useVisitor } from './visitor.js';

const SCOPES =
  'appearance:read appearance:write courses:write members:read members:write pages:read pages:write storage:write'.split(
    ' ',
  );

/** A form of the school at its own origin, which uploads the chosen file as the guide of uploads says. */
const FORM = `<!doctype html><meta charset="utf-8"><title>Upload</title><link rel="icon" href="data:,">
<form><label>Purpose <input name="purpose"></label><label>Token <input name="token"></label>
<label>File <input name="file" type="file"></label><button>Upload</button></form><output></output>
<script type="module">
const [form, output] = [document.forms[0], document.querySelector('output')];
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  output.textContent = '';
  const { purpose, token, file } = Object.fromEntries(new FormData(form));
  const send = async (path, body) => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
    const response = await fetch('/api/v1/uploads' + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  try {
    const content = await file.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const { name: filename, type: content_type, size: bytes } = file;
    const upload = await send('', { purpose, filename, content_type, bytes, sha256 });
    const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
    const { status } = await fetch(upload.upload_url, { method: 'PUT', headers, body: content });
    const { state, rejection } = await send('/' + upload.id + '/complete', {});
    output.textContent = JSON.stringify({ id: upload.id, status, state, rejection });
  } catch (error) {
    output.textContent = JSON.stringify({ error: error.message });
  }
});
</script>`;
let site: OwnSite;
let page: Page;
const visiting = useVisitor(
  async () => {
    site = await createSite(SCOPES);
    return site.base_url;
  },
  { scripts: true },
  async () => {
    ({ page } = visiting);
    await visiting.context.route(`${site.base_url}/upload-form`, (route) =>
      route.fulfill({ contentType: 'text/html', body: FORM }),
    );
  },
);

/** Chooses a file in the form, and returns what became of it. */
async function upload(purpose: string, file: ChosenFile): Promise<Record<string, unknown>> {
  await page.goto('/upload-form');
  await page.getByLabel('Purpose').fill(purpose);
  await page.getByLabel('Token').fill(site.token);
  await page.getByLabel('File').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload' }).click();
  const output = page.locator('output:not(:empty)');
  await output.waitFor();
  return JSON.parse(await output.innerText()) as Record<string, unknown>;
}

async function ready(purpose: string, file: ChosenFile): Promise<string> {
  const uploaded = await upload(purpose, file);
  expect(uploaded).toEqual({ id: expect.any(String), status: 200, state: 'ready', rejection: null });
  return String(uploaded['id']);
}

async function made(method: string, path: string, json: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const { status, text, body } = await site.send(method, path, json);
  expect([path, status, text]).toEqual([path, status < 300 ? status : 0, text]);
  return body;
}

/** The width of an image whose bytes have arrived. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate(async (element) => {
    const shown = element as HTMLImageElement;
    await shown.decode();
    return shown.naturalWidth;
  });

it('shows an uploaded image of a course on a page of the school, in the size of the page', async () => {
  const image_file_id = await ready('image', drawnPicture(800, 'watercolor.png'));
  const course = await made('POST', '/courses', { name: 'Watercolor', slug: 'watercolor', image_file_id });
  const address = String(course['image_url']);
  expect(address).toBe(`${site.base_url}/files/public/${image_file_id}`);
  const html = `<!doctype html><title>Courses</title><link rel="icon" href="data:,"><h1>Courses</h1>
    <img alt="Watercolor" src="${address}?w=640"><img alt="As uploaded" src="${address}">`;
  const zip = { name: 'site.zip', mimeType: 'application/zip', buffer: siteZip({ 'index.html': html }) };
  const file_id = await ready('page_bundle', zip);
  const { id } = await made('POST', '/pages', { slug: 'courses', title: 'Courses' });
  const deployment = await made('POST', `/pages/${String(id)}/deployments`, { file_id });
  await made('POST', `/pages/${String(id)}/deployments/${String(deployment['id'])}/promote`);
  await made('POST', `/pages/${String(id)}/publish`);
  await page.goto('/pages/courses/');
  expect(await widthOf(page.getByRole('img', { name: 'Watercolor' }))).toBe(640);
  expect(await widthOf(page.getByRole('img', { name: 'As uploaded' }))).toBe(800);
});

it('shows an uploaded picture of a member on the page of the profile', async () => {
  const avatar_file_id = await ready('image', drawnPicture(120, 'zoe.png'));
  const { body } = await site.send('GET', '/members');
  const [owner] = body['data'] as readonly { readonly id: string }[];
  await made('PATCH', `/members/${owner!.id}`, { avatar_file_id });
  await page.goto('/account/profile');
  await signIn(page, site.owner);
  const picture = page.getByRole('img', { name: 'Your picture' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toContain(`/files/public/${avatar_file_id}`);
  expect(await widthOf(picture)).toBe(120);
  await visiting.context.clearCookies();
});

it('shows an uploaded logo and icon on the pages for people', async () => {
  const logo_file_id = await ready('logo', drawnPicture(96, 'logo.png'));
  const favicon_file_id = await ready('logo', drawnPicture(32, 'icon.png'));
  const { status, text } = await site.patchAppearance({ logo_file_id, favicon_file_id });
  expect([status, text]).toEqual([200, text]);
  const logo = page.getByRole('banner').getByRole('img', { name: site.name });
  await eventually(async () => {
    await page.goto('/account/sign-in');
    return logo.count();
  }, Boolean);
  expect(await logo.getAttribute('src')).toContain(`/files/public/${logo_file_id}`);
  expect(await widthOf(logo)).toBe(96);
  const icon = await page.locator('link[rel=icon]').getAttribute('href');
  expect(icon).toContain(`/files/public/${favicon_file_id}`);
});

it('shows a logo that an owner chooses on the page of the look, also before it is saved, and removes it', async () => {
  await site.patchAppearance({ logo_file_id: null, favicon_file_id: null });
  await page.goto('/admin/appearance');
  await signIn(page, site.owner);
  await page.getByLabel('Choose a file for the logo').setInputFiles(drawnPicture(300, 'logo.png'));
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('status').filter({ hasText: 'This is a preview' }).waitFor();
  const logo = page.getByRole('banner').getByRole('img', { name: site.name });
  expect(await logo.getAttribute('src')).toMatch(/^data:image\//);
  expect(await widthOf(logo)).toBe(300);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'are saved' }).waitFor();
  const shown = page.getByRole('img', { name: 'The logo' });
  const address = String(await shown.getAttribute('src'));
  expect(address).toMatch(/^\/files\/public\//);
  expect(await widthOf(shown)).toBe(300);
  await visiting.context.clearCookies();
  await eventually(async () => {
    await page.goto('/account/sign-in');
    return logo.count();
  }, Boolean);
  expect([await logo.getAttribute('src'), await widthOf(logo)]).toEqual([address, 300]);
  await page.goto('/admin/appearance');
  await signIn(page, site.owner);
  await page.getByLabel('Remove the logo').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'are saved' }).waitFor();
  expect(await page.getByRole('img', { name: 'The logo' }).count()).toBe(0);
  await visiting.context.clearCookies();
  await eventually(
    async () => {
      await page.goto('/account/sign-in');
      return logo.count();
    },
    (count) => count === 0,
  );
});

it('tells the person that a damaged image is rejected', async () => {
  const { buffer, ...file } = drawnPicture(64, 'broken.png');
  const middle = Math.floor(buffer.length / 2);
  const broken = { ...file, buffer: buffer.fill(0, middle, middle + 64) };
  expect(await upload('image', broken)).toMatchObject({ state: 'rejected', rejection: 'damaged_image' });
});
