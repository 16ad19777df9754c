import 'reflect-metadata';
import { buildSchema } from './schema-definition.js';
import { definitionOf } from '#src/graphql/sdl.js';

/** `npm run schema` writes the committed definition. */
process.stdout.write(definitionOf(await buildSchema()));
