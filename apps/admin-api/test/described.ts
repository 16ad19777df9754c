import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Description } from '@lyceum/collections/conventions';
import type { Json } from '@lyceum/collections/conventions';

/** An output of the target `documents`. */
export const builtDocument = (name: 'openapi.json' | 'tools.json'): string =>
  readFileSync(join(__dirname, '../../../dist', name), 'utf8');

/** The worker runs this file for each suite. Reading the document and compiling its schemas takes long. */
const kept = globalThis as { lyceumDescription?: Description };

/** The document that responses are compared with. */
export const description = (kept.lyceumDescription ??= new Description(
  JSON.parse(builtDocument('openapi.json')) as Json,
));
