import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { guardRoutes } from './access.hook.js';
import { useSites } from './sites.hook.js';

/** Gives each request its site, and guards each route. Call it before hooks that need the site, and before routes. */
export function useResourceServer(app: NestFastifyApplication): void {
  useSites(app);
  guardRoutes(app);
}
