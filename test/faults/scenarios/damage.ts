import type { FaultStack } from '../fault-stack.ts';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.ts';

/** A generous limit for what never comes. */
const LIMIT_MS = 1_000;

/** Proves the check that ends each scenario. */
export function damage(shared: SharedFaultStack): void {
  describe('the check of a stack that a scenario has left', () => {
    let fault: FaultStack;

    beforeAll(async () => {
      fault = await shared.take();
    }, TAKE_MS);

    it('refuses changed settings, until they are reset', async () => {
      const { stack } = fault;
      const before = stack.environment('member-api');
      fault.set('member-api', { RATE_LIMIT_POINTS: '1' });
      await stack.restart('member-api');
      await expect(fault.checkIntact(LIMIT_MS)).rejects.toThrow('Changed settings: member-api');
      await fault.reset();
      expect(stack.environment('member-api')).toEqual(before);
      await fault.checkIntact();
    });

    it('refuses a killed service', async () => {
      await fault.stack.kill('mcp-gateway');
      await expect(fault.checkIntact(LIMIT_MS)).rejects.toThrow('Stopped: mcp-gateway');
      await fault.stack.start('mcp-gateway');
    });

    it('refuses a frozen NATS', async () => {
      const pid = fault.stack.nats.pid!;
      process.kill(pid, 'SIGSTOP');
      try {
        await expect(fault.checkIntact(LIMIT_MS)).rejects.toThrow(/Not within 1000 ms/);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    });

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
