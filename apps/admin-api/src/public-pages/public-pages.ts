import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { SingleFlight } from '@lyceum/platform';
import { isFresh } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGES_PATH } from '#src/pages/page-path.policy.js';
import { addressOf, isBelowPages } from './page-address.policy.js';
import { PublicPageRepository } from './public-page.repository.js';
import type { PublicPageFile } from './public-page.repository.js';

/**
 * Pages share the origin with /account and /admin. Without `allow-same-origin` a page has an origin of its own, which
 * reads neither cookies, nor storage, nor responses of the site.
 */
const ISOLATION = new Map([
  ['content-security-policy', 'sandbox allow-scripts allow-forms allow-popups'],
  ['x-content-type-options', 'nosniff'],
]);

const HEADERS = {
  // The files of a page are of another origin than the page: modules and fonts need these two.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  // Browsers keep files and ask for changes, because a promotion changes what an address serves.
  'cache-control': 'public, no-cache',
};

/** Serves the live deployments of published pages to everyone. */
@Injectable()
export class PublicPages {
  /** Requests for one file at one time share its bytes. */
  readonly #contents = new SingleFlight<Buffer | undefined>();

  constructor(private readonly repository: PublicPageRepository) {}

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { site, method, originalUrl, headers } = request;
    if (headers['service-worker'] !== undefined) throw new ApiError('forbidden', 'Pages have no service workers');
    // The router has removed a slash at the end, which tells folders from files.
    const path = originalUrl.split(/[?#]/, 1)[0] ?? '';
    const address = addressOf(path);
    if (site === null || address === undefined) throw missing();
    const { slug, file, folder } = address;
    const paths = [file, folder].filter((one) => one !== undefined);
    const found = await this.repository.files({ site_id: site.site_id, slug, paths });
    const named = found.find((one) => one.path === file);
    void reply.headers(HEADERS);
    if (named !== undefined) return this.#sendFile(site, named, { method, known: headers['if-none-match'], reply });
    if (found.length > 0) return reply.redirect(`${path}/${originalUrl.slice(path.length)}`, 308);
    throw missing();
  }

  async #sendFile(
    site: Site,
    file: PublicPageFile,
    {
      method,
      known,
      reply,
    }: { readonly method: string; readonly known: string | undefined; readonly reply: FastifyReply },
  ): Promise<FastifyReply> {
    const etag = `"${file.sha256}"`;
    void reply.header('etag', etag);
    if (isFresh(etag, known)) return reply.code(304).send();
    const described = { 'content-type': file.content_type, 'content-length': file.bytes };
    if (method === 'HEAD') return reply.headers(described).send();
    const key = `${file.deployment_id}/${file.path}`;
    const content = await this.#contents.run(key, () => this.repository.content(site, file));
    if (content === undefined) throw missing();
    return reply.headers(described).send(content);
  }
}

function missing(): ApiError {
  return new ApiError('not_found', 'The page does not exist');
}

export function servePublicPages(app: NestFastifyApplication): void {
  const pages = app.get(PublicPages, { strict: false });
  const fastify = app.getHttpAdapter().getInstance();
  // Before the router, so that its refusals carry the headers, too.
  fastify.server.prependListener('request', ({ url = '' }, response) => {
    if (isBelowPages(url)) response.setHeaders(ISOLATION);
  });
  fastify.route({
    method: ['GET', 'HEAD'],
    url: `${PAGES_PATH}*`,
    config: { open: true },
    handler: (request, reply) => pages.send(request, reply),
  });
}
