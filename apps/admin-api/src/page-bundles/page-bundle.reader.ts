import type { Readable } from 'node:stream';
import type { Caller } from '@lyceum/collections';
import { ContentRefusal, packedFiles } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileService } from '#src/files/file.service.js';
import { withoutStore } from '#src/files/file.storage.js';
import { plannedFiles, refusedBundle } from './page-bundle.policy.js';

/** A file of a deployment. */
export interface BundleFile {
  readonly path: string;
  readonly content_type: string;
  readonly content: Buffer;
}

/** Unpacks zip files that were uploaded for pages. */
@Injectable()
export class PageBundleReader {
  constructor(private readonly uploads: FileService) {}

  /** @throws `validation_failed` for an unusable upload or zip file */
  async read(site: Pick<Caller, 'site_id'>, file_id: string, tx: EntityManager): Promise<readonly BundleFile[]> {
    const file = { id: file_id, purpose: 'page_bundle' } as const;
    const stream = await this.uploads.content(site, file, tx).catch(withoutStore);
    if (stream === undefined) throw refusedBundle(['It names no upload of the purpose page_bundle that is ready']);
    return unpacked(await bytesOf(stream)).catch((error: unknown) => {
      throw error instanceof ContentRefusal ? refusedBundle([error.detail]) : error;
    });
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

/** One file after the other, so that one request uses one thread. */
async function unpacked(zip: Buffer): Promise<readonly BundleFile[]> {
  const files: BundleFile[] = [];
  for (const { entry, ...file } of plannedFiles(await packedFiles(zip))) {
    files.push({ ...file, content: await entry.read() });
  }
  return files;
}
