import { readFileSync } from 'node:fs';
import type { Json } from '@lyceum/rest';

/** The committed document, from `src` and from `dist` alike. A test compares it with the declarations. */
const FILE = new URL('../../openapi.json', import.meta.url);

/** Reads the OpenAPI document. Building it would take half of the start of the service. */
export function readDescription(): Json {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Json;
}
