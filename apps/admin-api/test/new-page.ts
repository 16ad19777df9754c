import { setTimeout as sleep } from 'node:timers/promises';
import { zipFile } from '@lyceum/testing';
import type { TestSite, ZipEntry } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';
import { arrived, complete } from './new-upload.js';

type Body = Record<string, unknown>;
interface Made extends Body {
  readonly id: string;
}

export const PAGES = '/api/v1/pages';

/** Contents by path. */
export type Files = Readonly<Record<string, string>>;

export const INDEX = { 'index.html': '<h1>Hello</h1>' };

/** A zip file of these files. */
export function zipOf(files: Files): Buffer {
  const entries = Object.entries(files).map(([name, text]): ZipEntry => ({ name, content: Buffer.from(text) }));
  return zipFile(entries);
}

/** Uploads a zip file for pages, and returns its id. */
export async function bundle(api: TestApi, zip: Buffer, site: TestSite = api.sites[0]): Promise<string> {
  const announced = { purpose: 'page_bundle', filename: 'site.zip', content_type: 'application/zip' };
  const upload = await arrived(api, zip, announced, site);
  const { body, text } = await complete(api, upload, site);
  if (body['state'] !== 'ready') throw new Error(text);
  return upload.id;
}

async function post(api: TestApi, path: string, body?: object, site: TestSite = api.sites[0]): Promise<Made> {
  const response = await api.send<Made>('POST', path, { site, body });
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}

export function newPage(api: TestApi, body: object = {}, site?: TestSite): Promise<Made> {
  return post(api, PAGES, { slug: unique('page'), title: 'A page', ...body }, site);
}

/** Waits for the job of a deployment, and returns the deployment. Reads rarely, because reads are limited. */
export async function checked(api: TestApi, page: string, id: string, site?: TestSite): Promise<Made> {
  for (let left = 150; left > 0; left -= 1) {
    const { status, body, text } = await api.send<Made>('GET', `${PAGES}/${page}/deployments/${id}`, site && { site });
    if (status !== 200) throw new Error(text);
    if (body['state'] !== 'queued') return body;
    await sleep(200);
  }
  throw new Error('The deployment stays queued');
}

/** Deploys files. The deployment is ready. */
export async function deployed(api: TestApi, page: string, files: Files, site?: TestSite): Promise<Made> {
  const file_id = await bundle(api, zipOf(files), site);
  const { id } = await post(api, `${PAGES}/${page}/deployments`, { file_id }, site);
  return checked(api, page, id, site);
}

/** Deploys files and makes them live. */
export async function live(api: TestApi, page: string, files: Files, site?: TestSite): Promise<Made> {
  const { id } = await deployed(api, page, files, site);
  return post(api, `${PAGES}/${page}/deployments/${id}/promote`, undefined, site);
}

/** A published page that shows files. */
export async function publishedPage(
  api: TestApi,
  {
    files = INDEX,
    site,
    ...body
  }: { readonly files?: Files; readonly site?: TestSite; readonly slug?: string; readonly title?: string } = {},
): Promise<{ readonly id: string; readonly slug: string }> {
  const { id, slug } = await newPage(api, body, site);
  await live(api, id, files, site);
  await post(api, `${PAGES}/${id}/publish`, undefined, site);
  return { id, slug: String(slug) };
}
