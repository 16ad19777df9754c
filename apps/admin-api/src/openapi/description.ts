import { readFileSync } from 'node:fs';
import type { Json } from '@lyceum/rest';

/** An output of the build, found from `src` and from `dist` alike. A test compares it with the declarations. */
const FILE = new URL('../../../../dist/openapi.json', import.meta.url);

/** Reads the OpenAPI document. Making it would take half of the start of the service (ADR 122). */
export function readDescription(): Json {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Json;
}
