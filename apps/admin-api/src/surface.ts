import { surfaceOf } from '@lyceum/collections';
import type { Surface } from '@lyceum/rest';
import { ANALYTICS_TAG } from './analytics/analytics.controller.js';
import { CHANGE_TAG } from './changes/change.module.js';
import { collections } from './collections.js';

const { routes, tags } = surfaceOf(collections);

/** The routes of the OpenAPI document, in its order. */
export const surface: Surface = { routes, tags: { ...tags, analytics: ANALYTICS_TAG, changes: CHANGE_TAG } };
