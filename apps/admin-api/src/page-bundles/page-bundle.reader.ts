import type { Caller } from '@lyceum/collections';
import type { OfSite } from '@lyceum/contracts';
import type { Readable } from 'node:stream';
import { ContentRefusal, packedFiles } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileService } from '#src/files/file.service.js';
import { BundleRefusal } from './bundle-refusal.js';
import { plannedFiles } from './page-bundle.policy.js';

/** A file of a deployment. */
export interface BundleFile {
  readonly path: string;
  readonly content_type: string;
  readonly content: Buffer;
}

const bundle = (id: string) => ({ id, purpose: 'page_bundle' }) as const;

/** Unpacks zip files that were uploaded for pages. */
@Injectable()
export class PageBundleReader {
  constructor(private readonly uploads: FileService) {}

  /** Returns true when the caller has such an upload. */
  isReady(caller: Caller, file_id: string, tx: EntityManager): Promise<boolean> {
    return this.uploads.isReady(caller, bundle(file_id), tx);
  }

  /** @throws {BundleRefusal} for an unusable upload or zip file */
  async read(site: OfSite, file_id: string | null): Promise<readonly BundleFile[]> {
    const stream = file_id === null ? undefined : await this.uploads.content(site, bundle(file_id));
    if (stream === undefined) {
      const detail = 'The upload does not exist any more, or it is not ready';
      throw new BundleRefusal([{ code: 'upload_missing', path: null, detail }]);
    }
    return unpacked(await bytesOf(stream)).catch((error: unknown) => {
      if (!(error instanceof ContentRefusal)) throw error;
      throw new BundleRefusal([{ code: 'unsafe_zip', path: null, detail: error.detail }]);
    });
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

/** One file after the other, so that one deployment uses one thread. */
async function unpacked(zip: Buffer): Promise<readonly BundleFile[]> {
  const files: BundleFile[] = [];
  for (const { entry, ...file } of plannedFiles(await packedFiles(zip))) {
    files.push({ ...file, content: await entry.read() });
  }
  return files;
}
