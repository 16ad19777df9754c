import { plots } from '../plots/plots.ts';
import type { Suite } from '../suite.ts';
import { admin } from './admin.ts';
import { analytics } from './analytics.ts';
import { auth } from './auth.ts';
import { crowd } from './crowd.ts';
import { events } from './events.ts';
import { exports } from './exports.ts';
import { imports } from './imports.ts';
import { member } from './member.ts';
import { orders } from './orders.ts';
import { scale } from './scale.ts';
import { tools } from './tools.ts';
import { tracing } from './tracing.ts';
import { uploads } from './uploads.ts';
import { webhooks } from './webhooks.ts';
import { weight } from './weight.ts';

/** In the order of running. */
export const SUITES: Readonly<Record<string, Suite>> = {
  member,
  events,
  auth,
  tools,
  admin,
  exports,
  imports,
  uploads,
  analytics,
  orders,
  webhooks,
  tracing,
  scale,
  crowd,
  weight,
  plots,
};
