import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { eventually } from '@lyceum/testing';
import { z } from 'zod';
import { PeriodicTask, readConfiguration, runInContext, serviceEnvironment } from '../src/index.js';
import { startUnderTest } from './service-under-test.js';

const turns = { schedule: 0, queue: 0 };
const count = (kind: keyof typeof turns) => async (): Promise<unknown> => (turns[kind] += 1);

@Injectable()
class Tasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #tasks = (['schedule', 'queue'] as const).map(
    (kind) => new PeriodicTask(kind, 1, count(kind), (error) => expect(error).toBeUndefined(), kind),
  );

  onApplicationBootstrap(): void {
    for (const task of this.#tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const task of this.#tasks) await task.stop();
  }
}

@Module({ providers: [Tasks] })
class TasksModule {}

/** A module that starts and stops the task with its service. */
function startedBy(task: PeriodicTask): DynamicModule {
  const life = { onApplicationBootstrap: () => task.start(), beforeApplicationShutdown: () => task.stop() };
  return { module: TasksModule, providers: [{ provide: 'task', useValue: life }] };
}

beforeEach(() => Object.assign(turns, { schedule: 0, queue: 0 }));

it('runs scheduled tasks by default', async () => {
  const service = await startUnderTest({ imports: [TasksModule] });
  await eventually(() => turns.schedule > 1);
  await service.close();
  expect(turns.queue).toBeGreaterThan(0);
});

it('exposes for how long each schedule is overdue, and nothing of queues', async () => {
  const service = await startUnderTest({ imports: [TasksModule] });
  const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
  await service.close();
  const series = text.split('\n').filter((line) => line.startsWith('periodic_work_overdue_seconds{'));
  expect(series).toEqual([expect.stringMatching(/\{work="schedule",service="[^"]+"\} [\d.e-]+$/)]);
});

it('runs queues alone with PERIODIC_TASKS=off', async () => {
  const service = await startUnderTest({ imports: [TasksModule], env: { PERIODIC_TASKS: 'off' } });
  await eventually(() => turns.queue > 20);
  await service.close();
  expect(turns.schedule).toBe(0);
});

it('runs queues alone beside a command, with PERIODIC_TASKS=on', async () => {
  const definition = { name: 'under-test', module: () => ({ module: TasksModule }) };
  const config = readConfiguration(z.object(serviceEnvironment), { LOG_LEVEL: 'silent', PERIODIC_TASKS: 'on' });
  await runInContext(definition, config, () => eventually(() => turns.queue > 20));
  expect(turns.schedule).toBe(0);
});

it('limits the pauses of a queue to QUEUE_PAUSE_MS, and those of no schedule', async () => {
  const pauses = async (kind: 'queue' | 'schedule', env: Readonly<Record<string, string>>): Promise<number> => {
    const task = new PeriodicTask(kind, 30_000, count(kind), (error) => expect(error).toBeUndefined(), kind);
    const service = await startUnderTest({ imports: [startedBy(task)], env });
    await service.close();
    return task.pauseMs;
  };
  const limited = { QUEUE_PAUSE_MS: '100' };
  const found = [await pauses('queue', {}), await pauses('queue', limited), await pauses('schedule', limited)];
  expect(found).toEqual([30_000, 100, 30_000]);
});
