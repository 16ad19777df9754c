import { ApiError } from '@lyceum/errors';
import { LINK_PATH, LocalFileStore, WrongBytes, contentDisposition } from '@lyceum/storage';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FileStorage } from './file.storage.js';

type LinkRequest = FastifyRequest<{ Params: { readonly '*': string }; Querystring: { readonly signature?: unknown } }>;

/** A browser that opens a file as a page must not run its scripts. */
const ISOLATED = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
};

/** Serves the signed links of a store in a directory. A bucket serves its links itself. */
export function serveLocalFiles(app: NestFastifyApplication): void {
  const { store } = app.get(FileStorage);
  if (!(store instanceof LocalFileStore)) return;
  void app
    .getHttpAdapter()
    .getInstance()
    .register((fastify, _options, done) => {
      routes(fastify as object as FastifyInstance, store);
      done();
    });
}

function routes(fastify: FastifyInstance, store: LocalFileStore): void {
  // Bodies of any type reach the handler as a stream.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, body, done) => done(null, body));
  const url = `${LINK_PATH}*`;
  const config = { open: true };
  fastify.put(url, { config }, (request: LinkRequest, reply) => receive(store, request, reply));
  fastify.get(url, { config }, (request: LinkRequest, reply) => send(store, request, reply));
}

async function receive(store: LocalFileStore, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const promised = store.links.open('PUT', linkOf(request)) ?? refuse();
  const { 'content-length': length, 'content-type': type } = request.headers;
  if (Number(length) !== promised.bytes || type !== promised.content_type)
    throw new ApiError(
      'invalid_request',
      `The link is for ${promised.bytes} bytes of the type ${promised.content_type}`,
    );
  await store.receive(promised.key, request.raw, promised).catch((error: unknown) => {
    if (!(error instanceof WrongBytes)) throw error;
    throw new ApiError('invalid_request', `The bytes are not the announced ones: ${error.reason}`);
  });
  return reply.code(200).headers(ISOLATED).send();
}

async function send(store: LocalFileStore, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { key, filename, content_type } = store.links.open('GET', linkOf(request)) ?? refuse();
  const found = await store.head(key);
  if (found === undefined) throw new ApiError('not_found', 'The file does not exist');
  return reply
    .headers(ISOLATED)
    .headers({
      'content-type': content_type,
      'content-length': found.bytes,
      'content-disposition': contentDisposition(filename, content_type),
    })
    .send(await store.read(key));
}

function linkOf({ site, params, query }: LinkRequest) {
  const signature = typeof query.signature === 'string' ? query.signature : '';
  return { base_url: site?.base_url ?? '', key: params['*'], signature };
}

function refuse(): never {
  throw new ApiError('forbidden', 'The link is invalid or has expired');
}
