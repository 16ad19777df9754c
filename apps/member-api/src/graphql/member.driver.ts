import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Cors } from './cors.js';
import { Gate } from './gate.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { RefusalWriter } from './refusal.writer.js';

const BODY_LIMIT = 256 * 1024;
/** All that Fastify knows: the gate says 405, after it has said 401. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Apollo reads the media types of a request from them; the gate has. */
const NO_HEADERS = new HeaderMap();

/**
 * Nest's Apollo driver with a route of its own: the gate stands before the body parser, every refusal speaks GraphQL, and
 * Apollo gets what it needs of a request without a copy of its headers.
 */
@Injectable()
export class MemberDriver extends ApolloDriver {
  constructor(
    modules: ModulesContainer,
    private readonly cors: Cors,
    private readonly gate: Gate,
    private readonly refusals: RefusalWriter,
  ) {
    super(modules);
  }

  protected override async registerFastify(options: ApolloDriverConfig): Promise<void> {
    const { schema, path = '/' } = options;
    if (schema === undefined) throw new Error('There is no schema');
    const server = new ApolloServer<MemberContext>({ ...options, schema } as ConstructorParameters<
      typeof ApolloServer<MemberContext>
    >[0]);
    await server.start();
    this.apolloServer = server as unknown as ApolloServer;
    this.httpAdapterHost.httpAdapter.getInstance<FastifyInstance>().route({
      url: path,
      method: METHODS,
      bodyLimit: BODY_LIMIT,
      onRequest: async (request, reply) => {
        if (!(await this.cors.answer(request, reply))) await this.gate.enter(request);
      },
      errorHandler: (error, request, reply) => this.refusals.write(error, request, reply),
      handler: (request, reply) => answer(server, request, reply),
    });
  }
}

async function answer(
  server: ApolloServer<MemberContext>,
  { body, memberContext }: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  if (memberContext === undefined) throw new Error('The gate was not passed');
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers: NO_HEADERS, search: '', body },
    context: () => Promise.resolve(memberContext),
  });
  if (response.body.kind !== 'complete') throw new Error('There is nothing incremental in this schema');
  for (const [name, value] of response.headers) void reply.header(name, value);
  void reply.code(response.status ?? 200);
  void reply.header('content-type', `${memberContext.answerType}; charset=utf-8`);
  return response.body.string;
}
