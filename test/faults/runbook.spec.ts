import { OWNERS, stepsAfterNatsLoss, stepsAfterRestore } from './runbook.js';

describe('the page about restores', () => {
  it('lists the steps of each service with a database, of which one is the start', () => {
    for (const owner of OWNERS) {
      const steps = stepsAfterRestore(owner, '2026-11-23T08:30:00Z');
      expect(steps[0]).toEqual({ service: owner, command: ['raise-epoch'] });
      expect(steps.filter(({ command }) => command[0] === 'serve')).toEqual([{ service: owner, command: ['serve'] }]);
      expect(steps.flatMap(({ command }) => command)).not.toContain('<stopped>');
    }
  });

  it('lists the steps after a loss of NATS, which publish the rows of each owner and rebuild the copies', () => {
    const steps = stepsAfterNatsLoss().map(({ service, command }) => [service, ...command].join(' '));
    expect(steps).toEqual([
      'admin-api raise-epoch',
      'auth republish all',
      'admin-api republish all',
      'member-api rebuild all',
    ]);
  });

  it.each([
    ['no steps', '# Restore\n\n## After a restore of auth\n\nNothing.\n', 'no steps below "After a restore of auth"'],
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
