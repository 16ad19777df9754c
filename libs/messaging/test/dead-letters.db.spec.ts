import { courseEvents } from '@lyceum/contracts';
import { UsageError } from '@lyceum/platform';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { EventConsumers, Nats, deadLetterCommands } from '../src/index.js';
import { LIMITS } from '../src/connection/limits.js';
import { courseId, publishCourse } from './events.js';
import { closeServices, logs, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';

let nats: TestNats;
let learner: TestService;
/** Courses whose events fail. */
const broken = new Set<string>();
const applied: string[] = [];
/** Events of the course wait for the test. */
let held: { readonly course: string; readonly released: Promise<void> } | undefined;

beforeAll(async () => {
  nats = await testNats();
  const school = await startService({
    service: 'admin-api',
    nats: nats.environment('admin-api'),
    database: await messagingDatabase(),
  });
  learner = await startService({
    service: 'member-api',
    nats: nats.environment('member-api'),
    database: await messagingDatabase(),
    delivery: { retryDelaysMs: [] },
  });
  learner.get(EventConsumers).register({
    name: 'courses',
    stream: 'SCHOOL',
    events: [courseEvents],
    async handle(event) {
      if (held?.course === event.aggregate_id) await held.released;
      if (broken.has(event.aggregate_id)) throw new Error(`no room for ${event.data.name}`);
      applied.push(event.data.name);
      await Promise.resolve();
    },
  });
  await Promise.all([school.get(Nats).ready(), learner.get(Nats).ready()]);
  broken.add(courseId(1)).add(courseId(2));
  for (const n of [1, 2, 3]) await publishCourse(school, n);
  await eventually(async () => (await learner.metric('events_processed_total')) === 3);
});
afterAll(async () => {
  await closeServices();
  await nats.stop();
});

/** Runs the command as the service's own user; returns its lines and its error. */
async function run(service: 'member-api' | 'admin-api', ...args: string[]) {
  const lines: Record<string, unknown>[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>);
    return true;
  });
  const error = await deadLetterCommands(service)
    .run(nats.environment(service), args)
    .then(
      () => undefined,
      (fault: Error) => fault.message,
    );
  write.mockRestore();
  return { lines, error };
}

test('lists failed events with their errors to their own service only', async () => {
  const { lines, error } = await run('member-api', 'list');
  expect(error).toBeUndefined();
  expect(lines).toEqual([
    expect.objectContaining({
      seq: 1,
      consumer: 'courses',
      subject: 'school.course.updated.v1',
      error: 'Error: no room for Course 1 v1',
      deliveries: 1,
    }),
    expect.objectContaining({ seq: 2, error: 'Error: no room for Course 2 v1' }),
  ]);
  expect((await run('admin-api', 'list')).lines).toEqual([]);
});

test('goes on after a letter without a reply in time', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  held = { course: courseId(1), released };
  const timeout = jest.replaceProperty<{ replayTimeout: number }, 'replayTimeout'>(LIMITS, 'replayTimeout', 1_000);
  const { lines, error } = await run('member-api', 'replay');
  timeout.restore();
  release();
  expect(lines).toEqual([
    { seq: 1, replayed: false, code: 'temporarily_unavailable', detail: 'No reply came within 1 s.' },
    expect.objectContaining({ seq: 2, replayed: false, detail: 'Error: no room for Course 2 v1' }),
  ]);
  expect(error).toBe('2 of the dead letters could not be applied');
});

test('replays the letters that can be applied, removes them and fails for the rest', async () => {
  broken.delete(courseId(2));
  const { lines, error } = await run('member-api', 'replay');
  expect(lines).toEqual([
    expect.objectContaining({ seq: 1, replayed: false, detail: 'Error: no room for Course 1 v1' }),
    { seq: 2, replayed: true },
  ]);
  expect(error).toBe('1 of the dead letters could not be applied');
  expect(applied).toEqual(['Course 3 v1', 'Course 2 v1']);
  expect((await run('member-api', 'list')).lines).toMatchObject([{ seq: 1 }]);
});

test('replays only the named sequence numbers', async () => {
  broken.clear();
  expect(await run('member-api', 'replay', '77')).toEqual({ lines: [], error: undefined });
  expect(await run('member-api', 'replay', '1')).toEqual({ lines: [{ seq: 1, replayed: true }], error: undefined });
  expect(applied.at(-1)).toBe('Course 1 v1');
  expect((await run('member-api', 'list')).lines).toEqual([]);
});

test('rejects unknown arguments', async () => {
  expect((await run('member-api', 'delete')).error).toContain('dead-letters list');
  expect((await run('member-api')).error).toContain('dead-letters list');
  expect((await run('member-api', 'replay', 'x')).error).toContain('not a number');
});

test.each([[[]], [['delete']], [['replay', 'x']]])('refuses %j as a wrong argument', async (args) => {
  const refusal = deadLetterCommands('member-api').run(nats.environment('member-api'), args);
  await expect(refusal).rejects.toThrow(UsageError);
});

test('needs no permission that the service lacks', () => {
  expect(logs.filter((line) => line.includes('Permissions Violation'))).toEqual([]);
});
