import { type Breakable, SharedStack } from './shared-stack.ts';

interface Fake extends Breakable {
  readonly name: string;
}

/** A shared stack, and what happened to its stacks in order. */
function recorded(faults: { readonly repair?: boolean; readonly stop?: boolean } = {}) {
  const steps: string[] = [];
  let started = 0;
  const fake = (name: string): Fake => ({
    name,
    repair: async () => {
      steps.push(`repair ${name}`);
      if (faults.repair) throw new Error('broken');
    },
    stop: async () => {
      steps.push(`stop ${name}`);
      if (faults.stop) throw new Error('stuck');
    },
  });
  const shared = new SharedStack<Fake>(async () => {
    started += 1;
    steps.push(`start ${started}`);
    return fake(String(started));
  });
  return { shared, steps };
}

describe('a stack that scenarios share', () => {
  it('starts once, and is repaired before each other scenario', async () => {
    const { shared, steps } = recorded();
    const names = [(await shared.take()).name, (await shared.take()).name];
    expect([names, steps]).toEqual([
      ['1', '1'],
      ['start 1', 'repair 1'],
    ]);
  });

  it.each([
    ['stops', {}],
    ['gives up', { stop: true }],
  ])('%s a stack that cannot be repaired, and starts another one', async (_how, faults) => {
    const { shared, steps } = recorded({ repair: true, ...faults });
    await shared.take();
    expect((await shared.take()).name).toBe('2');
    expect(steps).toEqual(['start 1', 'repair 1', 'stop 1', 'start 2']);
  });

  it('repairs the view that the scenario takes', async () => {
    const { shared, steps } = recorded();
    const other = (stack: Fake): Fake => ({ ...stack, name: 'view', repair: async () => void steps.push('view') });
    expect((await shared.take(other)).name).toBe('view');
    expect((await shared.take(other)).name).toBe('view');
    expect(steps).toEqual(['start 1', 'view']);
  });

  it('stops the last stack once', async () => {
    const { shared, steps } = recorded();
    await shared.take();
    await shared.stop();
    await shared.stop();
    expect(steps).toEqual(['start 1', 'stop 1']);
  });
});
