import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf } from '@lyceum/collections';
import { FILE_PURPOSES, FILE_STATES } from '@lyceum/contracts';
import { instantOut } from '@lyceum/rest';
import { CONTENT_TYPES } from '@lyceum/storage';
import { z } from 'zod';
import { MAX_PIXELS } from '#src/images/image.policy.js';
import { MAX_BYTES, REJECTIONS } from './file.policy.js';

const EXAMPLE = {
  id: '019ab3c0-de90-7a01-9c3d-4e5f60718293',
  purpose: 'attachment',
  filename: 'shopping-list.pdf',
  content_type: 'application/pdf',
  bytes: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  state: 'pending',
  rejection: null,
  upload_url: 'https://files.example.com/uploads/019ab3c0?X-Amz-Signature=5d8a',
  headers: [{ name: 'content-type', value: 'application/pdf' }],
  expires_at: '2026-11-20T09:00:00.000Z',
  url: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const upload = resource('Upload', {
  one: 'upload',
  fields: {
    purpose: fixed(
      z.enum(FILE_PURPOSES).meta({
        description:
          'image: PNG, JPEG, GIF, WebP, AVIF or SVG up to 10 MiB; logo: PNG, JPEG, WebP, SVG or ICO up to 2 MiB; ' +
          'attachment: any type up to 100 MiB; import: CSV or JSON Lines up to 20 MiB; page_bundle: ZIP up to 5 MiB',
      }),
    ),
    filename: fixed(
      z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'Name of the download, without a path; at most 255 bytes in UTF-8' }),
    ),
    content_type: fixed(z.enum(CONTENT_TYPES).meta({ description: 'Media type; the content must be of it' })),
    bytes: fixed(z.int().min(1).max(MAX_BYTES).meta({ description: 'Exact size of the file' })),
    sha256: fixed(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits')
        .meta({ description: 'SHA-256 of the file in lower-case hexadecimal' }),
    ),
    state: readOnly(z.enum(FILE_STATES)),
    rejection: readOnly(
      z
        .enum(REJECTIONS)
        .nullable()
        .meta({
          description: `Why the file is rejected; too_many_pixels: an image or logo has more than ${MAX_PIXELS['image/png']} pixels, an AVIF more than ${MAX_PIXELS['image/avif']}; damaged_image: its pixels cannot be decoded`,
        }),
    ),
    upload_url: readOnly(
      z
        .url()
        .nullable()
        .meta({
          description:
            'PUT the bytes there; null unless the state is pending, and in a dry run. An agent that cannot send them ' +
            'gives the person one command: `curl -T FILE -H "NAME: VALUE" "UPLOAD_URL"`, with -H for each of `headers`',
        }),
    ),
    headers: readOnly(
      z
        .array(z.object({ name: z.string(), value: z.string() }))
        .nullable()
        .meta({ description: 'Headers that the PUT must have' }),
    ),
    expires_at: readOnly(instantOut.meta({ description: 'End of `upload_url`' })),
    url: readOnly(
      z
        .url()
        .nullable()
        .meta({ description: 'Download link, valid for at least an hour; null unless the state is ready' }),
    ),
  },
  examples: {
    object: EXAMPLE,
    create: {
      purpose: EXAMPLE.purpose,
      filename: EXAMPLE.filename,
      content_type: EXAMPLE.content_type,
      bytes: EXAMPLE.bytes,
      sha256: EXAMPLE.sha256,
    },
  },
});
export type UploadCreate = CreateOf<typeof upload>;
