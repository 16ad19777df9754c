import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SchoolService } from '#src/school/school.service.js';
import type { File } from './file.entity.js';
import { fileKey, uploadKey } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import type { StoredFile } from './file.repository.js';
import { FileStorage } from './file.storage.js';

const HOUR_MS = 3_600_000;
/** Lifetime of a link that starts one download. */
const DOWNLOAD_MS = 600_000;

/** The number of the hour. Download links of two hours differ, and so must the entity tags of objects with links. */
export const linkPeriod = (): number => Math.floor(Date.now() / HOUR_MS);

/** Download links by the ids of their files. */
export type DownloadLinks = ReadonlyMap<string, string>;
const NO_DOWNLOADS: DownloadLinks = new Map();

interface Header {
  readonly name: string;
  readonly value: string;
}

/** Links that the state of a file allows. */
export interface Links {
  readonly upload_url: string | null;
  readonly headers: readonly Header[] | null;
  readonly url: string | null;
}

/** A link for one download. */
interface FreshLink {
  readonly url: string;
  readonly expires_at: Date;
}

const NONE: Links = { upload_url: null, headers: null, url: null };

/** Creates signed links, by which clients exchange bytes with the store directly. */
@Injectable()
export class FileLinks {
  constructor(
    private readonly storage: FileStorage,
    private readonly repository: FileRepository,
    private readonly schools: SchoolService,
  ) {}

  async of(file: File): Promise<File & Links> {
    if (file.state === 'pending') return this.#forUpload(file);
    return file.state === 'ready'
      ? Object.assign({}, file, NONE, { url: await this.#forDownload(file) })
      : this.without(file);
  }

  without(file: File): File & Links {
    return Object.assign({}, file, NONE);
  }

  /** All links of an upload are equal, so a later read does not extend the upload. */
  async #forUpload(file: File): Promise<File & Links> {
    const { base_url } = this.schools.site(file);
    const { bytes, content_type, sha256 } = file;
    const { url, headers } = await this.storage.store.presignPut({
      bytes,
      content_type,
      sha256,
      base_url,
      key: uploadKey(file),
      from: file.created_at,
      until: file.expires_at,
    });
    const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
    return Object.assign({}, file, NONE, { upload_url: url, headers: list });
  }

  /** Download links of files of a site by their ids, with one statement. Files that are not ready have none. */
  async downloads(site: OfSite, ids: readonly string[], tx?: EntityManager): Promise<DownloadLinks> {
    if (ids.length === 0) return NO_DOWNLOADS;
    const files = await this.repository.ready(site, ids, tx);
    const links = files.map(async (file) => [file.id, await this.#forDownload(file)] as const);
    return new Map(await Promise.all(links));
  }

  /** A link of its own for one download. @throws `not_found` unless an object uses the attachment */
  async fresh(site: OfSite, id: string): Promise<FreshLink> {
    const file = await this.repository.attached(site, id);
    if (file === undefined) throw new ApiError('not_found', 'No object of this site uses the file');
    const from = new Date();
    const expires_at = new Date(from.getTime() + DOWNLOAD_MS);
    return { url: await this.#signed(file, from, expires_at), expires_at };
  }

  /** Within an hour, all links are the same: responses with the same entity tag are equal. */
  #forDownload(file: StoredFile): Promise<string> {
    const from = new Date(linkPeriod() * HOUR_MS);
    return this.#signed(file, from, new Date(from.getTime() + 2 * HOUR_MS));
  }

  #signed(file: StoredFile, from: Date, until: Date): Promise<string> {
    const { base_url } = this.schools.site(file);
    const { filename, content_type } = file;
    return this.storage.store.presignGet({ filename, content_type, base_url, key: fileKey(file), from, until });
  }
}
