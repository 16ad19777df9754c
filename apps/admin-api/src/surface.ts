import { surfaceOf } from '@lyceum/collections';
import type { Surface } from '@lyceum/rest';
import { ANALYTICS_TAG } from './analytics/analytics.controller.js';
import { CHANGE_TAG } from './changes/change.module.js';
import { collections } from './collections.js';
import { WEBHOOKS, WEBHOOK_TEXT } from './webhook-deliveries/webhook-message.js';

const { routes, tags } = surfaceOf(collections);

/** The routes of the OpenAPI document, in its order, and the messages that the service sends. */
export const surface: Surface = {
  routes,
  tags: { ...tags, analytics: ANALYTICS_TAG, changes: CHANGE_TAG, webhooks: WEBHOOK_TEXT },
  webhooks: WEBHOOKS,
};
