import { hash } from 'node:crypto';
import { get } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { send } from '@lyceum/testing';
import type { ReceivedResponse, TestSite } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';

export const CSV = 'email,name\nmei@example.com,Mei\n';

interface Header {
  readonly name: string;
  readonly value: string;
}

export interface Upload extends Record<string, unknown> {
  readonly id: string;
  readonly upload_url: string;
  readonly headers: readonly Header[];
}

export const uploadPath = ({ id }: Pick<Upload, 'id'>): string => `/api/v1/uploads/${id}`;

/** The body that announces a file. */
export function announced(content: string | Buffer, more: object = {}): Record<string, unknown> {
  return {
    purpose: 'import',
    filename: 'students.csv',
    content_type: 'text/csv',
    bytes: Buffer.byteLength(content),
    sha256: hash('sha256', content),
    ...more,
  };
}

export async function newUpload(
  api: TestApi,
  content: string | Buffer = CSV,
  more: object = {},
  site: TestSite = api.sites[0],
): Promise<Upload> {
  const response = await api.send<Upload>('POST', '/api/v1/uploads', { site, body: announced(content, more) });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}

/** Sends the request of a link to the service, as the edge does. */
export function follow(
  api: TestApi,
  method: string,
  link: string,
  {
    content,
    headers = {},
  }: { readonly content?: string | Buffer; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ReceivedResponse<Record<string, unknown>>> {
  const { host, pathname, search } = new URL(link);
  return send(api.service.url, method, `${pathname}${search}`, { host, ...headers }, content);
}

/** The bytes of a link, which `follow` would decode as text. */
export function bytesAt(
  api: TestApi,
  link: string,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
  const { host, pathname, search } = new URL(link);
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof bytesAt>>>();
  get(`${api.service.url}${pathname}${search}`, { headers: { host } }, (response) => {
    const { statusCode: status = 0, headers } = response;
    buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
  }).on('error', reject);
  return promise;
}

export function put(
  api: TestApi,
  upload: Upload,
  content: string | Buffer = CSV,
  more: Readonly<Record<string, string>> = {},
) {
  const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
  return follow(api, 'PUT', upload.upload_url, { content, headers: { ...headers, ...more } });
}

export function complete(api: TestApi, { id }: Pick<Upload, 'id'>, site: TestSite = api.sites[0]) {
  return api.send('POST', `/api/v1/uploads/${id}/complete`, { site });
}

/** A file whose bytes have arrived. */
export async function arrived(
  api: TestApi,
  content: string | Buffer = CSV,
  more: object = {},
  site: TestSite = api.sites[0],
): Promise<Upload> {
  const upload = await newUpload(api, content, more, site);
  const { status, text } = await put(api, upload, content);
  if (status !== 200) throw new Error(text);
  return upload;
}
