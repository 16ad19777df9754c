import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Script } from '#src/pages/page.js';

/** Beside `src` and `dist`: browsers get the file unchanged. */
const text = readFileSync(new URL('../../assets/passkeys.js', import.meta.url), 'utf8');

export const SCRIPTS = '/account/scripts';
export const PASSKEY_SCRIPT_NAME = `passkeys.${hash('sha256', text, 'hex').slice(0, 16)}.js`;
export const PASSKEY_SCRIPT_TEXT = text;

/** The hash of the content: browsers run exactly this script. */
export const PASSKEY_SCRIPT: Script = {
  path: `${SCRIPTS}/${PASSKEY_SCRIPT_NAME}`,
  integrity: `sha256-${hash('sha256', text, 'base64')}`,
};
