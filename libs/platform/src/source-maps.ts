import { setSourceMapsSupport } from 'node:module';

/**
 * For `node --import @lyceum/platform/source-maps`: stack traces show TypeScript lines. The flag `--enable-source-maps`
 * would also load the maps of all packages, which costs 14 MB per service.
 */
setSourceMapsSupport(true);
