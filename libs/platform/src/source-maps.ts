import { setSourceMapsSupport } from 'node:module';

/**
 * For `node --import @lyceum/platform/source-maps`: stack traces name the lines of our own TypeScript. The flag
 * `--enable-source-maps` would keep the maps of all packages in memory too, which is 14 MB of a service.
 */
setSourceMapsSupport(true);
