import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';
import { RestoreDrill } from '../restore-drill.js';

export function restore(shared: SharedFaultStack): void {
  describe('a restore of one database to a point in time, by docs/operate/restore.md', () => {
    let fault: FaultStack;
    let drill: RestoreDrill;

    beforeAll(async () => {
      fault = await shared.take();
      drill = await RestoreDrill.begin(fault);
    }, TAKE_MS);

    afterAll(async () => {
      await drill?.end();
      await shared.stop();
    }, TAKE_MS);

    /** In this order, so that each restore begins with read models that the one before has brought in line. */
    it.each(['admin-api', 'auth', 'member-api'] as const)(
      'brings all copies in line after a restore of %s, and sends nothing twice',
      async (owner) => {
        const seconds = await drill.restore(owner);
        expect(await drill.inLine()).toEqual(drill.expected);
        expect(await drill.lateCursor()).toBe('invalid_cursor');
        expect(await drill.lateToken()).toBe(owner === 'admin-api' ? 200 : 401);
        await drill.write(owner);
        expect(await drill.inLine()).toEqual(drill.expected);
        process.stdout.write(`    restore of ${owner}: ${seconds.toFixed(1)} s from the stop to the last step\n`);
      },
      // Each step starts a process, which takes long on a busy machine.
      900_000,
    );
  });
}
