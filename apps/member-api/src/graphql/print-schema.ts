import 'reflect-metadata';
import { buildSchema } from './schema-definition.js';
import { definitionOf } from './sdl.js';

/** `npm run schema` writes the committed definition. */
process.stdout.write(definitionOf(await buildSchema()));
