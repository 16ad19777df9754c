import type { Suite } from '../suite.ts';
import { admin } from './admin.ts';
import { auth } from './auth.ts';
import { events } from './events.ts';
import { member } from './member.ts';
import { scale } from './scale.ts';
import { tools } from './tools.ts';

/** In the order of running. */
export const SUITES: Readonly<Record<string, Suite>> = { member, events, auth, tools, admin, scale };
