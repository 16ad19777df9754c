import { scriptFile } from './script-file.js';

export const PAGE_SCRIPT = scriptFile('page');
