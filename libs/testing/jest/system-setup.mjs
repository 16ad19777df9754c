import builtSetup from './built-setup.mjs';

/** Starts the whole platform for the system tests, unless one runs for them already. */
export default async function systemSetup(global, project) {
  if (process.env.LYCEUM_TEST_STACK) return;
  await builtSetup(global, project);
  const { startSystem } = await import('../dist/start-system.js');
  const system = await startSystem();
  process.env.LYCEUM_TEST_STACK = system.file;
  globalThis.lyceumServers = system;
}
