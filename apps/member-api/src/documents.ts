import 'reflect-metadata';
import { writeDocuments } from '@lyceum/platform';
import { definitionOf } from './graphql/sdl.js';
import { buildSchema } from './print-schema/schema-definition.js';

/** `npx nx documents member-api`: writes `dist/schema.graphql` of the workspace. Starts no server. */
await writeDocuments(new URL('../../../dist/', import.meta.url), {
  'schema.graphql': async () => definitionOf(await buildSchema()),
});
