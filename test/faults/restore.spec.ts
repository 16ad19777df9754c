import { type FaultStack, startFaultStack } from './fault-stack.js';
import { RestoreDrill } from './restore-drill.js';
import { OWNERS, stepsAfterRestore } from './runbook.js';

describe('a restore of one database to a point in time, by docs/operate/restore.md', () => {
  let fault: FaultStack;
  let drill: RestoreDrill;

  beforeAll(async () => {
    fault = await startFaultStack();
    drill = await RestoreDrill.begin(fault);
  }, 600_000);

  afterAll(async () => {
    await drill?.end();
    await fault?.stop();
  });

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

describe('the page about restores', () => {
  it('lists the steps of each service with a database, of which one is the start', () => {
    for (const owner of OWNERS) {
      const steps = stepsAfterRestore(owner, '2026-11-23T08:30:00Z');
      expect(steps[0]).toEqual({ service: owner, command: ['raise-epoch'] });
      expect(steps.filter(({ command }) => command[0] === 'serve')).toEqual([{ service: owner, command: ['serve'] }]);
      expect(steps.flatMap(({ command }) => command)).not.toContain('<stopped>');
    }
  });

  it.each([
    ['no steps', '# Restore\n\n## After a restore of auth\n\nNothing.\n', 'no steps for auth'],
    [
      'an unknown service',
      '## After a restore of auth\n\n```text\nstorefront serve\n```\n',
      'no step: storefront serve',
    ],
    ['a service alone', '## After a restore of auth\n\n```text\nauth\n```\n', 'no step: auth'],
  ])('rejects a page with %s', (_what, page, words) => {
    expect(() => stepsAfterRestore('auth', '', page)).toThrow(words);
  });
});
