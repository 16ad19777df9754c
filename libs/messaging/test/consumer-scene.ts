import { courseEvents } from '@lyceum/contracts';
import { connectAs, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { EventConsumers, Nats } from '../src/index.js';
import type { EventOf } from '../src/index.js';
import { closeServices, messagingDatabase, startService } from './service.js';
import type { TestService } from './service.js';

/** One row per application, so that a duplicate application is visible. */
const TABLE =
  'CREATE TABLE IF NOT EXISTS applied (at bigint GENERATED ALWAYS AS IDENTITY, aggregate_id text, version int)';

type CourseEvent = EventOf<readonly [typeof courseEvents]>;

export type Apply = (id: string, version: number, manager: EntityManager) => Promise<void>;

export const write: Apply = async (id, version, manager) => {
  await manager.query('INSERT INTO applied (aggregate_id, version) VALUES ($1, $2)', [id, version]);
};

/** A school that publishes events and learners that consume them, on their own server. */
export class ReadingScene {
  readonly nats: TestNats;
  readonly #schoolDatabase: string;
  readonly learnerDatabase: string;

  private constructor(nats: TestNats, school: string, learner: string) {
    this.nats = nats;
    this.#schoolDatabase = school;
    this.learnerDatabase = learner;
  }

  static async open(): Promise<ReadingScene> {
    return new ReadingScene(await testNats(), await messagingDatabase(), await messagingDatabase());
  }

  async close(): Promise<void> {
    await closeServices();
    await this.nats.stop();
  }

  async startSchool(): Promise<TestService> {
    const school = await startService({
      service: 'admin-api',
      nats: this.nats.environment('admin-api'),
      database: this.#schoolDatabase,
    });
    await school.get(Nats).ready();
    return school;
  }

  /** Two retries, then dead letters. */
  async startLearner(apply: Apply = write, database = this.learnerDatabase): Promise<TestService> {
    const learner = await this.#startReader(database);
    learner.get(EventConsumers).register({
      name: 'courses',
      stream: 'SCHOOL',
      events: [courseEvents],
      handle: (event, manager) => apply(event.aggregate_id, event.aggregate_version, manager),
    });
    return learner;
  }

  async startLearnerOfMany(
    apply: (events: readonly CourseEvent[], manager: EntityManager) => Promise<void>,
  ): Promise<TestService> {
    const learner = await this.#startReader(this.learnerDatabase);
    learner
      .get(EventConsumers)
      .register({ name: 'courses', stream: 'SCHOOL', events: [courseEvents], handleAll: apply });
    return learner;
  }

  async #startReader(database: string): Promise<TestService> {
    const learner = await startService({
      service: 'member-api',
      nats: this.nats.environment('member-api'),
      database,
      delivery: { retryDelaysMs: [20, 40] },
    });
    await learner.get(DataSource).query(TABLE);
    return learner;
  }

  /** Makes the server redeliver unacknowledged messages after this time. */
  async limitAckWait(milliseconds: number): Promise<void> {
    await this.withAdmin(async (connection) => {
      const { consumers } = await jetstreamManager(connection);
      await consumers.update('SCHOOL', 'member-api-courses', { ack_wait: nanos(milliseconds) });
    });
  }

  async publishRaw(subject: string, body: string | Uint8Array): Promise<void> {
    await this.withAdmin(async (connection) => {
      await jetstream(connection).publish(subject, body);
    });
  }

  /** Stores the message of the school's stream again, without the message id that would deduplicate it. */
  async repeat(seq: number): Promise<void> {
    const stored = await this.withAdmin(async (connection) => {
      const manager = await jetstreamManager(connection);
      return manager.streams.getMessage('SCHOOL', { seq });
    });
    if (stored === null) throw new Error(`The stream has no message ${seq}`);
    await this.publishRaw(stored.subject, stored.data);
  }

  async withAdmin<T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> {
    const connection = await connectAs(this.nats.environment('admin'));
    return work(connection).finally(() => connection.close());
  }

  deadLetters(): Promise<number> {
    return this.withAdmin(async (connection) => {
      const manager = await jetstreamManager(connection);
      return (await manager.streams.info('DEAD_LETTERS_member-api')).state.messages;
    });
  }
}

/** `course:version` of each application, in order. */
export async function applied(service: TestService): Promise<string[]> {
  const rows: { line: string }[] = await service
    .get(DataSource)
    .query(`SELECT right(aggregate_id, 2)::int || ':' || version AS line FROM applied ORDER BY at`);
  return rows.map(({ line }) => line);
}

export const untilApplied = (service: TestService, count: number): Promise<boolean> =>
  eventually(async () => (await applied(service)).length >= count);

export const processed = (service: TestService, result: string): Promise<number> =>
  service.metric('events_processed_total', { result });
