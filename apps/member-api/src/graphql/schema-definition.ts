import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import { NotificationsResolver } from '#src/notifications/notifications.resolver.js';
import { ViewerResolver } from '#src/viewer/viewer.resolver.js';
import { describeRoots } from './sdl.js';

/** The schema of the resolvers, without the service around it. */
export async function buildSchema(): Promise<GraphQLSchema> {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  try {
    return describeRoots(await app.get(GraphQLSchemaFactory).create([ViewerResolver, NotificationsResolver]));
  } finally {
    await app.close();
  }
}
