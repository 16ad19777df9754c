import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { SingleFlight } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { ImageConverter } from '#src/images/image.converter.js';
import type { ConvertedImage } from '#src/images/image.converter.js';
import { SIZED_TYPE, isDecoded, sizedName } from '#src/images/image.policy.js';
import type { Width } from '#src/images/image.policy.js';
import { PUBLIC_PURPOSES } from './file-use.policy.js';
import type { File } from './file.entity.js';
import { fileKey, publicKey, sizedKey, sizedPrefix } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import type { StoredFile } from './file.repository.js';
import { FileStorage } from './file.storage.js';

/** Files that the decoder refuses, which are not tried again at each request. */
const REMEMBERED_REFUSALS = 1_000;

/** Bytes in the store that everyone may read. */
export interface PublicCopy {
  readonly key: string;
  readonly bytes: number;
  readonly content_type: string;
}

type Convert = (read: () => Promise<Readable>) => Promise<ConvertedImage | undefined>;

/** Makes the copies of images that everyone reads, at their first request, and keeps them in the store. */
@Injectable()
export class PublicCopies {
  readonly #making = new SingleFlight<PublicCopy | undefined>();
  readonly #refused = new Set<string>();

  constructor(
    private readonly storage: FileStorage,
    private readonly repository: FileRepository,
    private readonly converter: ImageConverter,
  ) {}

  /** The image without metadata, or another file as it is. Undefined for a file that cannot be shown. */
  async whole(file: StoredFile): Promise<PublicCopy | undefined> {
    const { content_type } = file;
    if (!isDecoded(content_type)) return this.#stored(fileKey(file), content_type);
    const shown = content_type === 'image/avif' ? SIZED_TYPE : content_type;
    return this.#copy(file, publicKey(file), shown, (read) => this.converter.whole(content_type, read));
  }

  /** The image with at most this width. */
  async sized(file: StoredFile, width: Width): Promise<PublicCopy | undefined> {
    const { content_type: type } = file;
    if (!isDecoded(type)) return undefined;
    const key = sizedKey(file, sizedName(file, width));
    return this.#copy(file, key, SIZED_TYPE, (read) => this.converter.sized(type, read, width));
  }

  /**
   * @throws {ContentRefusal} for an uploaded image that cannot be shown
   * @throws `temporarily_unavailable` when its check takes too long
   */
  async check(file: Pick<File, 'purpose' | 'content_type'>, key: string): Promise<void> {
    if (!PUBLIC_PURPOSES.includes(file.purpose) || !isDecoded(file.content_type)) return;
    await this.converter.requireReadable(file.content_type, () => this.storage.store.read(key));
  }

  /** Deletes the copies of a file. */
  async discard(file: Pick<File, 'site_id' | 'id' | 'purpose'>): Promise<void> {
    const { store } = this.storage;
    if (!PUBLIC_PURPOSES.includes(file.purpose)) return;
    await store.delete(publicKey(file));
    for await (const { key } of store.list(sizedPrefix(file))) await store.delete(key);
  }

  async #copy(file: StoredFile, key: string, content_type: string, convert: Convert): Promise<PublicCopy | undefined> {
    if (this.#refused.has(key)) return undefined;
    return (await this.#stored(key, content_type)) ?? this.#making.run(key, () => this.#make(file, key, convert));
  }

  async #stored(key: string, content_type: string): Promise<PublicCopy | undefined> {
    const found = await this.storage.store.head(key);
    return found && { key, bytes: found.bytes, content_type };
  }

  async #make(file: StoredFile, key: string, convert: Convert): Promise<PublicCopy | undefined> {
    const { store } = this.storage;
    if ((await store.head(fileKey(file))) === undefined) return undefined;
    const made = await convert(() => store.read(fileKey(file)));
    if (made === undefined) {
      if (this.#refused.size >= REMEMBERED_REFUSALS) this.#refused.clear();
      this.#refused.add(key);
      return undefined;
    }
    const { content, content_type } = made;
    const bytes = content.length;
    await store.put(key, Readable.from([content]), { bytes, sha256: hash('sha256', content), content_type });
    // The sweep may have deleted the file meanwhile.
    if ((await this.repository.public(file, file.id)) !== undefined) return { key, bytes, content_type };
    await store.delete(key);
    return undefined;
  }
}
