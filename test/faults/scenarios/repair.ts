import { type SharedFaultStack, TAKE_MS } from '../shared-stack.ts';

/** The stack after a scenario that failed in the middle. */
export function repair(shared: SharedFaultStack): void {
  describe('a stack that a failed scenario has left', () => {
    it(
      'works again, with its first settings, without services that were killed and NATS that was frozen',
      async () => {
        const broken = await shared.take();
        const { stack } = broken;
        const before = stack.environment('member-api');
        broken.set('member-api', { RATE_LIMIT_POINTS: '1' });
        await stack.restart('member-api');
        await Promise.all([stack.kill('auth'), stack.kill('mcp-gateway')]);
        process.kill(stack.nats.pid!, 'SIGSTOP');

        const repaired = await shared.take();
        expect(repaired.stack).toBe(stack);
        expect(stack.environment('member-api')).toEqual(before);
      },
      TAKE_MS,
    );
  });
}
