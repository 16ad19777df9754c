import { send } from './send.js';

const TIME_LIMIT_MS = 30_000;
const PAUSE_MS = 50;

/** Waits until the service, or only the named checks, are ready. The timeout error lists the failing checks. */
export async function untilReady(managementUrl: string, needs?: readonly string[]): Promise<void> {
  const deadline = Date.now() + TIME_LIMIT_MS;
  for (;;) {
    const { body } = await send<{ ready: boolean; checks: Record<string, string> }>(
      managementUrl,
      'GET',
      '/readyz',
      {},
    );
    if (needs === undefined ? body.ready : needs.every((need) => body.checks[need] === 'ready')) return;
    if (Date.now() > deadline) throw new Error(`The service does not get ready: ${JSON.stringify(body.checks)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
