import { Lifecycle } from './lifecycle.js';
import { PeriodicTask, withTaskSettings } from './periodic-task.js';

const unexpected = (error: unknown): void => {
  throw error;
};

/** A task whose turns the test ends one by one. */
function held() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  let began = (): void => undefined;
  return {
    ends,
    signals,
    begun: () => new Promise<void>((resolve) => (began = resolve)),
    turn: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signals.push(signal);
        ends.push(resolve);
        began();
      }),
  };
}

// Pauses alone do not keep a process alive.
let alive: NodeJS.Timeout;
beforeEach(() => {
  alive = setInterval(() => undefined, 1_000);
});
afterEach(() => clearInterval(alive));

it('continues after a turn, and reports a failed one', async () => {
  const fault = new Error('no database');
  const faults: unknown[] = [];
  const { promise: third, resolve } = Promise.withResolvers<void>();
  const turns = [() => Promise.resolve(), () => Promise.reject(fault), async () => resolve()];
  const work = new PeriodicTask(
    'a task',
    1,
    async () => turns.shift()?.(),
    (error) => faults.push(error),
  );
  work.start();
  await third;
  await work.stop();
  expect(faults).toEqual([fault]);
});

it('starts no turn while one is running, and stops after it', async () => {
  const { turn, begun, ends, signals } = held();
  const work = new PeriodicTask('a task', 1, turn, unexpected);
  const first = begun();
  work.start();
  work.start();
  await first;
  // Longer than the pause of the task.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ends).toHaveLength(1);
  expect(signals[0]?.aborted).toBe(false);
  let stopped = false;
  const stopping = work.stop().then(() => (stopped = true));
  expect(signals[0]?.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  ends[0]?.();
  await stopping;
  expect(ends).toHaveLength(1);
});

it('becomes overdue at the latest time of the next turn, until it succeeds', async () => {
  const { turn, begun, ends } = held();
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  const work = new PeriodicTask('a task', 4_000, turn, unexpected);
  const first = begun();
  work.start();
  random.mockRestore();
  await first;
  now.mockReturnValue(6_000);
  expect(work.overdueSeconds).toBe(0);
  now.mockReturnValue(66_000);
  expect(work.overdueSeconds).toBe(60);
  ends[0]?.();
  await new Promise(setImmediate);
  expect(work.overdueSeconds).toBe(0);
  now.mockReturnValue(66_000 + 5_000 + 3_600_000);
  expect(work.overdueSeconds).toBe(3_600);
  now.mockRestore();
  await work.stop();
});

it('stays overdue after a failed turn', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  const { promise: failed, resolve } = Promise.withResolvers<unknown>();
  const fault = new Error('no database');
  const work = new PeriodicTask('a task', 4_000, () => Promise.reject(fault), resolve);
  work.start();
  random.mockRestore();
  now.mockReturnValue(6_000);
  expect(await failed).toBe(fault);
  expect(work.overdueSeconds).toBe(1);
  now.mockRestore();
  await work.stop();
});

it('stops immediately during a pause or before the start', async () => {
  const turn = () => Promise.reject(new Error('a turn'));
  const work = new PeriodicTask('a task', 3_600_000, turn, unexpected);
  work.start();
  await expect(work.stop()).resolves.toBeUndefined();
  await expect(new PeriodicTask('a task', 1, turn, unexpected).stop()).resolves.toBeUndefined();
});

it('runs the first turn soon after the start, even with long pauses', async () => {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const work = new PeriodicTask('a task', 3_600_000, async () => resolve(), unexpected);
  // A hundredth of the longest first pause is 100 ms, and of the pause itself 36 s.
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.01);
  const began = performance.now();
  work.start();
  random.mockRestore();
  await first;
  expect(performance.now() - began).toBeLessThan(10_000);
  await work.stop();
});

it('stands still where its service starts without scheduled tasks, unless it takes work from a queue', async () => {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const turns: string[] = [];
  const scheduled = new PeriodicTask('a task', 1, async () => void turns.push('scheduled'), unexpected);
  const queue = new PeriodicTask(
    'a task',
    1,
    async () => {
      if (turns.push('queue') === 20) resolve();
    },
    unexpected,
    'queue',
  );
  await withTaskSettings({ PERIODIC_TASKS: 'off', QUEUE_PAUSE_MS: 60_000 }, async () => {
    await new Promise(setImmediate);
    scheduled.start();
    queue.start();
  });
  await first;
  expect(turns).not.toContain('scheduled');
  scheduled.start();
  await queue.stop();
  await scheduled.stop();
});

it('starts no turn after the beginning of a shutdown, which waits until a turn is late', async () => {
  const lifecycle = new Lifecycle();
  const { turn, begun, ends, signals } = held();
  const work = new PeriodicTask('a task', 1, turn, unexpected);
  const first = begun();
  await withTaskSettings({ PERIODIC_TASKS: 'on', QUEUE_PAUSE_MS: 1, lifecycle }, async () => work.start());
  await first;
  lifecycle.stop(50);
  expect(signals[0]?.aborted).toBe(true);
  let stopped = false;
  const stopping = work.stop().then(() => (stopped = true));
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  await stopping;
  expect(lifecycle.late.aborted).toBe(true);
  ends[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ends).toHaveLength(1);
});

it('spreads the first turns of replicas that start together', async () => {
  const began = performance.now();
  const starts: number[] = [];
  const replicas = Array.from({ length: 20 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = new PeriodicTask(
      'a task',
      2_000,
      async () => {
        starts.push(performance.now() - began);
        resolve();
      },
      unexpected,
    );
    work.start();
    return promise.then(() => work.stop());
  });
  await Promise.all(replicas);
  expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(500);
});
