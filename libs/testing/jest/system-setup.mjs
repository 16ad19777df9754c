import builtSetup from './built-setup.mjs';

/** Starts the whole platform for the system tests, unless one runs for them already or the whole run serves one. */
export default async function systemSetup(global, project) {
  const { LYCEUM_TEST_STACK: stack, LYCEUM_TEST_SYSTEM: server } = process.env;
  if (stack) return;
  if (server) {
    process.env.LYCEUM_TEST_STACK = await servedStack(server);
    return;
  }
  await builtSetup(global, project);
  const { startSystem } = await import('../dist/start-system.js');
  const system = await startSystem();
  process.env.LYCEUM_TEST_STACK = system.file;
  globalThis.lyceumServers = system;
}

/** The first request starts the stack, which takes a while. */
async function servedStack(server) {
  const response = await fetch(server);
  const text = await response.text();
  if (!response.ok) throw new Error(`The run has no stack: ${text}`);
  return text;
}
