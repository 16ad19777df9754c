import { hash } from 'node:crypto';
import { zipFile } from '@lyceum/testing';
import { putContent } from './student-file.js';

/** A zip file of these texts. */
export function siteZip(files: Readonly<Record<string, string>>): Buffer {
  return zipFile(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })));
}

interface Uploads {
  readonly create: (announced: object) => Promise<{ readonly id: string }>;
  readonly complete: (id: string) => Promise<unknown>;
}

/** Uploads a zip file for pages, and returns its id. */
export async function uploadedBundle(zip: Buffer, { create, complete }: Uploads): Promise<string> {
  const upload = await create({
    purpose: 'page_bundle',
    filename: 'site.zip',
    content_type: 'application/zip',
    bytes: zip.length,
    sha256: hash('sha256', zip),
  });
  expect(await putContent(upload, zip)).toBe(200);
  await complete(upload.id);
  return upload.id;
}
