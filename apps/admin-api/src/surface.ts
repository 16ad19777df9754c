import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';

/** The controllers of the OpenAPI document, in its order. */
export const surface = surfaceOf(collections);
