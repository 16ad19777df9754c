import { surfaceOf } from '@lyceum/collections';
import { collections } from './collections.js';

/** Everything that the OpenAPI document describes, in its order. */
export const surface = surfaceOf(collections);
