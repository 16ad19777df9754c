import { readFileSync, readdirSync } from 'node:fs';
import { SiteDocument } from './site-document.js';

/** `docs/clients` of the repository, from `src` and from `dist` alike. The image has it at the same place. */
const DIRECTORY = new URL('../../../../docs/clients/', import.meta.url);

/** The client recipes by the name of the file. `README.md` is their index. */
export function readRecipes(): ReadonlyMap<string, SiteDocument> {
  const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.md'));
  return new Map(files.map((file) => [file, new SiteDocument(readFileSync(new URL(file, DIRECTORY), 'utf8'))]));
}
