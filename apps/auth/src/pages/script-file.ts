import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Script } from '@lyceum/pages';

/** A script that a route serves. The name changes with the content. */
export interface ScriptFile extends Script {
  readonly name: string;
  readonly text: string;
}

/** The folder of the scripts below the address of a site. */
export const SCRIPTS = '/account/scripts';
const YEAR_SECONDS = 31_536_000;

export const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The files are outside of `src` and `dist`, because browsers get them unchanged. */
export function scriptFile(base: string): ScriptFile {
  const text = readFileSync(new URL(`../../assets/${base}.js`, import.meta.url), 'utf8');
  const name = `${base}.${hash('sha256', text, 'hex').slice(0, 16)}.js`;
  return { name, text, path: `${SCRIPTS}/${name}`, integrity: `sha256-${hash('sha256', text, 'base64')}` };
}
