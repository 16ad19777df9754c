import type { Html } from '@lyceum/platform';
import { scriptFile } from './script-file.js';

export const PAGE_SCRIPT = scriptFile('page');

/** Markup that the script enhances. Inserted values are escaped and cannot contain it. */
const ENHANCED = /type="(?:password|file)"|\sdata-copy[\s>]|<time /;

export const isEnhanced = ({ text }: Html): boolean => ENHANCED.test(text);
