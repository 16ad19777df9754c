import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Description } from '@lyceum/collections/conventions';
import type { Json } from '@lyceum/collections/conventions';

/** The committed document, which responses are compared with. */
export const description = new Description(
  JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8')) as Json,
);
