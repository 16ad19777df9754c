import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import { ConsultingServicesResolver } from '#src/consulting-services/consulting-services.resolver.js';
import { NotificationSubscriptionsResolver } from '#src/notification-subscriptions/notification-subscriptions.resolver.js';
import { NotificationsResolver } from '#src/inbox/notifications.resolver.js';
import { LectureResolver } from '#src/enrolled-courses/lecture.resolver.js';
import { NodesResolver } from '#src/nodes/nodes.resolver.js';

import { VIEWER_RESOLVERS } from '#src/viewer/viewer.module.js';
import { describeRoots } from '#src/graphql/sdl.js';

const RESOLVERS = [
  NodesResolver,
  ...VIEWER_RESOLVERS,
  NotificationsResolver,
  NotificationSubscriptionsResolver,
  ConsultingServicesResolver,
  LectureResolver,
];

/** Builds the schema of the resolvers without starting the service. */
export async function buildSchema(): Promise<GraphQLSchema> {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  try {
    return describeRoots(await app.get(GraphQLSchemaFactory).create(RESOLVERS));
  } finally {
    await app.close();
  }
}
