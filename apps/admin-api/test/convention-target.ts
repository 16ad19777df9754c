import { ConventionApi } from '@lyceum/collections/conventions';
import { description } from './described.js';

/** The service that the matrix sends its requests to. */
export const api = new ConventionApi(description);
