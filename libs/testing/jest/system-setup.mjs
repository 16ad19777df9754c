import { build } from './build.mjs';

/** Starts the whole platform for the system tests, unless one runs for them already. */
export default async function systemSetup() {
  if (process.env.LYCEUM_TEST_STACK) return;
  await build();
  const { startSystem } = await import('../dist/start-system.js');
  const system = await startSystem();
  process.env.LYCEUM_TEST_STACK = system.file;
  globalThis.lyceumServers = system;
}
