import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `members`: everyone who is signed in. `operators`: owners and admins. `link`: holders of a link that was sent by
 * email.
 */
export type Audience = 'everyone' | 'members' | 'operators' | 'link';

const FILE = join(__dirname, '../../apps/auth/preview/page-roles.json');

/** The audience of each page. A suite of auth compares the paths with its router. */
export const PAGE_ROLES = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, Audience>>;
