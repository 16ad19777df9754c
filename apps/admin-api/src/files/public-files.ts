import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ApiError } from '@lyceum/errors';
import { isPhotoType, withoutMetadata } from '@lyceum/platform';
import { contentDisposition } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicPath } from './file-use.policy.js';
import { fileKey, publicKey } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import type { StoredFile } from './file.repository.js';
import { FileStorage, withoutStore } from './file.storage.js';

type PublicRequest = FastifyRequest<{ Params: { readonly id: string } }>;

type PhotoType = Parameters<typeof withoutMetadata>[0];
interface FileSize {
  readonly bytes: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The bytes of an id never change. A page of any origin may show them, and what opens them as a page runs nothing. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=31536000, immutable',
};

/** Serves public files that are in use, by links that do not end. Pages load them from their own site. */
@Injectable()
export class PublicFiles {
  #cleaning: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly repository: FileRepository,
    private readonly storage: FileStorage,
  ) {}

  async send({ site, params: { id } }: PublicRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = site && UUID.test(id) ? await this.repository.public(site, id) : undefined;
    if (file === undefined) throw missing();
    const { store } = this.storage;
    const photo = isPhotoType(file.content_type) ? file.content_type : undefined;
    const key = photo === undefined ? fileKey(file) : publicKey(file);
    const stored = await store.head(key).catch(withoutStore);
    const found = stored ?? (photo && (await this.#clean(file, photo).catch(withoutStore)));
    if (found === undefined) throw missing();
    const { filename, content_type } = file;
    return reply
      .headers(HEADERS)
      .headers({
        'content-type': content_type,
        'content-length': found.bytes,
        'content-disposition': contentDisposition(filename, content_type),
      })
      .send(await store.read(key).catch(withoutStore));
  }

  /** Stores the copy of a photo at its first request. One photo at a time is in memory. */
  #clean(file: StoredFile, type: PhotoType): Promise<FileSize | undefined> {
    const cleaned = this.#cleaning.then(async () => {
      const { store } = this.storage;
      const key = publicKey(file);
      const made = await store.head(key);
      if (made !== undefined || (await store.head(fileKey(file))) === undefined) return made;
      const pieces = (await (await store.read(fileKey(file))).toArray()) as Buffer[];
      const content = withoutMetadata(type, Buffer.concat(pieces));
      // A photo that ends too early could still have the place.
      if (content === undefined) return undefined;
      const promised = { bytes: content.length, sha256: hash('sha256', content), content_type: type };
      await store.put(key, Readable.from([content]), promised);
      return promised;
    });
    this.#cleaning = cleaned.catch(() => undefined);
    return cleaned;
  }
}

function missing(): ApiError {
  return new ApiError('not_found', 'The file does not exist');
}

export function servePublicFiles(app: NestFastifyApplication): void {
  const files = app.get(PublicFiles, { strict: false });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(publicPath(':id'), { config: { open: true } }, (request: PublicRequest, reply) =>
    files.send(request, reply),
  );
}
