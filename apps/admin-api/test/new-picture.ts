import sharp from 'sharp';
import type { TestApi } from './admin-api.js';
import { unique } from './new-course.js';
import { arrived, complete, follow } from './new-upload.js';

export const PLACE = 'GPS 25.03 N 121.56 E';
export type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

/** A red image of 400 × 200 pixels with the place in its Exif data, which GIF does not have. */
export function red(format: Format): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
    .withExif({ IFD0: { ImageDescription: PLACE } })
    .toFormat(format)
    .toBuffer();
}

/** Uploads and completes an image. */
export async function uploaded(
  api: TestApi,
  content: Buffer | string,
  content_type: string,
): Promise<{ id: string; state: unknown }> {
  const filename = `red.photo.${content_type.slice(6)}`;
  const upload = await arrived(api, content, { purpose: 'image', filename, content_type });
  const { body } = await complete(api, upload);
  return { id: upload.id, state: body['state'] };
}

/** The address and the id of an image that a course shows. */
export async function picture(
  api: TestApi,
  content: Buffer | string,
  content_type: string,
): Promise<{ id: string; url: string }> {
  const { id } = await uploaded(api, content, content_type);
  const body = { name: 'Red', slug: unique('red'), image_file_id: id };
  const made = await api.send('POST', '/api/v1/courses', { body });
  expect(made.status).toBe(201);
  return { id, url: String(made.body['image_url']) };
}

/** The address to which that of an image with a width leads. */
export async function sizeAt(api: TestApi, url: string, width: number): Promise<string> {
  const { status, headers } = await follow(api, 'GET', `${url}?w=${width}`);
  expect([status, headers['cache-control']]).toEqual([302, 'public, max-age=3600']);
  return new URL(headers['location'] ?? '', url).href;
}
