import { dirname } from 'node:path';
import { buildForSuite } from './build.mjs';

/** Some of the tests here kill a process that runs the built code. */
export default async function globalSetup() {
  await buildForSuite(dirname(dirname(dirname(import.meta.dirname))));
}
