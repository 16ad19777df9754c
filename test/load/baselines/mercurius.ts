import fastify from 'fastify';
import { mercurius } from 'mercurius';
import pg from 'pg';
import { serve } from './serve.ts';
import { contextOf, viewerResolvers } from './viewer-resolvers.ts';
import type { ResolverConfiguration, ResolverContext } from './viewer-resolvers.ts';

declare module 'mercurius' {
  interface MercuriusContext extends ResolverContext {}
}

/** Mercurius, set up as in its documentation, with compiled documents. */
serve<ResolverConfiguration>(async ({ databaseUrl, poolSize, schema }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const app = fastify();
  await app.register(mercurius, {
    schema,
    resolvers: viewerResolvers(pool),
    context: ({ headers }) => contextOf(headers),
    jit: 1,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server;
});
