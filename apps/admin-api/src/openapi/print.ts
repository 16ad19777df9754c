/** Prints the document that is committed as `openapi.json`: `npm run openapi -w @lyceum/admin-api`. */
import { surface } from '#src/surface.js';
import { buildDocument } from '@lyceum/rest';

process.stdout.write(`${JSON.stringify(buildDocument(surface), null, 2)}\n`);
