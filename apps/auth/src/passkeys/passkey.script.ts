import { scriptFile } from '#src/pages/script-file.js';

export const PASSKEY_SCRIPT = scriptFile('passkeys');
