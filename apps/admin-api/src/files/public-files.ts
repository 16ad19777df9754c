import { ApiError } from '@lyceum/errors';
import { contentDisposition } from '@lyceum/storage';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicPath } from './file-use.policy.js';
import { fileKey } from './file.policy.js';
import { FileRepository } from './file.repository.js';
import { FileStorage, withoutStore } from './file.storage.js';

type PublicRequest = FastifyRequest<{ Params: { readonly id: string } }>;

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
  constructor(
    private readonly repository: FileRepository,
    private readonly storage: FileStorage,
  ) {}

  async send({ site, params: { id } }: PublicRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = site && UUID.test(id) ? await this.repository.public(site, id) : undefined;
    const { store } = this.storage;
    const found = file && (await store.head(fileKey(file)).catch(withoutStore));
    if (file === undefined || found === undefined) throw new ApiError('not_found', 'The file does not exist');
    const { filename, content_type } = file;
    return reply
      .headers(HEADERS)
      .headers({
        'content-type': content_type,
        'content-length': found.bytes,
        'content-disposition': contentDisposition(filename, content_type),
      })
      .send(await store.read(fileKey(file)).catch(withoutStore));
  }
}

export function servePublicFiles(app: NestFastifyApplication): void {
  const files = app.get(PublicFiles, { strict: false });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(publicPath(':id'), { config: { open: true } }, (request: PublicRequest, reply) =>
    files.send(request, reply),
  );
}
