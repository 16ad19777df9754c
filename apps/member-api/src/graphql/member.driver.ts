import type { ApolloServer } from '@apollo/server';
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OPERATION_ACCESS } from '#src/schema/operation-access.js';
import { RoutedDriver, executeBody } from './apollo.internals.js';
import { Cors } from './cors.js';
import { GraphqlGate } from './gate.js';
import { RefusalWriter } from './refusal.writer.js';

const BODY_LIMIT = 256 * 1024;
/** All methods of Fastify: the gate returns 405 after it has checked the token. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Registers the GraphQL route. The gate runs before the body parser. Rejections have the form of GraphQL errors. */
@Injectable()
export class MemberDriver extends RoutedDriver {
  constructor(
    modules: ModulesContainer,
    private readonly cors: Cors,
    private readonly gate: GraphqlGate,
    private readonly refusals: RefusalWriter,
  ) {
    super(modules);
  }

  protected override route(fastify: FastifyInstance, url: string, server: ApolloServer): void {
    fastify.route({
      url,
      method: METHODS,
      bodyLimit: BODY_LIMIT,
      // The guard of routes accepts the principal of the gate, and names the actor.
      config: { access: OPERATION_ACCESS.query, via: 'graphql' },
      onRequest: async (request, reply) => {
        if (!(await this.cors.handle(request, reply))) await this.gate.enter(request);
      },
      errorHandler: (error, request, reply) => this.refusals.write(error, request, reply),
      handler: (request, reply) => respond(server, request, reply),
    });
  }
}

async function respond(
  server: ApolloServer,
  { body, memberContext }: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  if (memberContext === undefined) throw new Error('The request did not pass the gate');
  const response = await executeBody(server, body, memberContext);
  for (const [name, value] of response.headers) void reply.header(name, value);
  void reply.code(response.status).header('content-type', `${memberContext.responseType}; charset=utf-8`);
  return response.body;
}
