import 'reflect-metadata';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { serve } from './serve.ts';
import { contextOf, viewerResolvers } from './viewer-resolvers.ts';
import type { ResolverConfiguration } from './viewer-resolvers.ts';

class Application {}

/** Nest with its Apollo driver on Fastify, set up for production as in its documentation. */
serve<ResolverConfiguration>(async ({ databaseUrl, poolSize, schema }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const graphql = GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    typeDefs: schema,
    resolvers: viewerResolvers(pool),
    context: ({ headers }: FastifyRequest) => contextOf(headers),
    playground: false,
  });
  Module({ imports: [graphql] })(Application);
  const app = await NestFactory.create<NestFastifyApplication>(Application, new FastifyAdapter(), {
    logger: ['error'],
  });
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer();
});
