import { isUuid } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { contentDisposition } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDecoded, sizedName, widthOf, widthOfName } from '#src/images/image.policy.js';
import { publicPath } from './file-use.policy.js';
import { FileRepository } from './file.repository.js';
import type { StoredFile } from './file.repository.js';
import { FileStorage, withoutStore } from './file.storage.js';
import { PublicCopies } from './public-copies.js';
import type { PublicCopy } from './public-copies.js';

type PublicRequest = FastifyRequest<{
  Params: { readonly id: string };
  Querystring: { readonly w?: unknown };
}>;
type SizedRequest = FastifyRequest<{ Params: { readonly id: string; readonly name: string } }>;

const SIZED_EXTENSION = '.webp';

/** A page of any origin may show public files, and what opens them as a page runs nothing. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
};
/** The bytes of an id never change, and those of a name with a hash neither. */
const LASTING = { ...HEADERS, 'cache-control': 'public, max-age=31536000, immutable' };
/** A release that converts images in another way changes the names of sizes. */
const REDIRECT = { ...HEADERS, 'cache-control': 'public, max-age=3600' };

/** Serves public files that are in use, by links that do not end. Pages load them from their own site. */
@Injectable()
export class PublicFiles {
  constructor(
    private readonly repository: FileRepository,
    private readonly storage: FileStorage,
    private readonly copies: PublicCopies,
  ) {}

  /** Sends a file in its own size, and redirects to the name of another size. */
  async send({ site, params: { id }, query }: PublicRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await this.#file(site, id);
    const width = widthOf(query.w);
    if (width !== undefined && isDecoded(file.content_type)) {
      const path = `${publicPath(id)}/${sizedName(file, width)}${SIZED_EXTENSION}`;
      return reply.headers(REDIRECT).redirect(path, 302);
    }
    return this.#send(reply, file, await this.copies.whole(file).catch(withoutStore));
  }

  async sendSized({ site, params: { id, name } }: SizedRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await this.#file(site, id);
    const isSized = name.endsWith(SIZED_EXTENSION) && isDecoded(file.content_type);
    const width = isSized ? widthOfName(file, name.slice(0, -SIZED_EXTENSION.length)) : undefined;
    if (width === undefined) throw missing();
    return this.#send(reply, file, await this.copies.sized(file, width).catch(withoutStore));
  }

  async #file(site: FastifyRequest['site'], id: string): Promise<StoredFile> {
    const file = site && isUuid(id) ? await this.repository.public(site, id) : undefined;
    if (file === undefined) throw missing();
    return file;
  }

  async #send(reply: FastifyReply, file: StoredFile, copy: PublicCopy | undefined): Promise<FastifyReply> {
    if (copy === undefined) throw missing();
    const { key, bytes, content_type } = copy;
    const isConverted = content_type !== file.content_type;
    const filename = isConverted ? `${file.filename.replace(/\.\w+$/, '')}${SIZED_EXTENSION}` : file.filename;
    return reply
      .headers(LASTING)
      .headers({
        'content-type': content_type,
        'content-length': bytes,
        'content-disposition': contentDisposition(filename, content_type),
      })
      .send(await this.storage.store.read(key).catch(withoutStore));
  }
}

function missing(): ApiError {
  return new ApiError('not_found', 'The file does not exist');
}

export function servePublicFiles(app: NestFastifyApplication): void {
  const files = app.get(PublicFiles, { strict: false });
  const fastify = app.getHttpAdapter().getInstance();
  const options = { config: { open: true } };
  fastify.get(publicPath(':id'), options, (request: PublicRequest, reply) => files.send(request, reply));
  fastify.get(publicPath(':id/:name'), options, (request: SizedRequest, reply) => files.sendSized(request, reply));
}
