/**
 * `npx nx documents admin-api`: writes `dist/openapi.json` and `dist/tools.json` of the workspace, or those of the two
 * that the arguments name. Starts no server.
 */
import { writeDocuments } from '@lyceum/platform';
import { buildDocument } from '@lyceum/rest';
import { surface } from './surface.js';

const named = process.argv.slice(2);
const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const documents = {
  'openapi.json': () => Promise.resolve(print(buildDocument(surface))),
  'tools.json': async () => print(await (await import('./tool-catalog.js')).toolCatalog()),
};

const wanted = Object.entries(documents).filter(([name]) => named.length === 0 || named.includes(name));
await writeDocuments(new URL('../../../dist/', import.meta.url), Object.fromEntries(wanted));
// Timers of the providers would keep the process running.
process.exit();
