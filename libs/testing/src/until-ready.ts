import { eventually } from '@lyceum/local';
import { send } from './send.js';

/** Waits until the service, or only the named checks, are ready. The timeout error lists the failing checks. */
export async function untilReady(managementUrl: string, needs?: readonly string[]): Promise<void> {
  await eventually(
    async () =>
      (await send<{ ready: boolean; checks: Record<string, string> }>(managementUrl, 'GET', '/readyz', {})).body,
    ({ ready, checks }) => (needs === undefined ? ready : needs.every((need) => checks[need] === 'ready')),
  );
}
