import { surfaceOf } from '@lyceum/collections';
import type { Surface } from '@lyceum/rest';
import { ANALYTICS_TAG } from './analytics/analytics.controller.js';
import { CHANGE_TAG } from './changes/change.module.js';
import { collections } from './collections.js';

const { controllers, tags } = surfaceOf(collections);

/** The controllers of the OpenAPI document, in its order. */
export const surface: Surface = { controllers, tags: { ...tags, analytics: ANALYTICS_TAG, changes: CHANGE_TAG } };
