import { buildForSuite } from '@lyceum/local/build';
import { dirname } from 'node:path';

const root = dirname(dirname(dirname(import.meta.dirname)));

/** Starts the whole platform for the system tests, unless one runs for them already. */
export default async function systemSetup() {
  if (process.env.LYCEUM_TEST_STACK) return;
  await buildForSuite(root);
  const { startSystem } = await import('../dist/start-system.js');
  const system = await startSystem();
  process.env.LYCEUM_TEST_STACK = system.file;
  globalThis.lyceumServers = system;
}
