import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASES, runServiceCommand } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { DrillSchool, type DrillView } from './drill-school.ts';
import type { FaultStack } from './fault-stack.ts';
import { serveRequestsAlone } from './requests-alone.ts';
import { timed, until } from './restore-drill.ts';
import { stepsAfterNatsLoss } from './runbook.ts';

/** Names of drill courses, written before the loss, between the last read and the loss, and while NATS is gone. */
const KEPT = 'kept';
const ENDED = 'ended';
const UNREAD = 'unread';
const OFFLINE = 'offline';
const LATER = 'later';

interface Seconds {
  /** From the start of an empty server until the last service is ready. */
  readonly service: number;
  /** The steps of the page. */
  readonly steps: number;
}

/** The volume of NATS is lost with events that no service has read, and docs/operate/restore.md brings all in line. */
export class NatsLoss {
  readonly #fault: FaultStack;
  readonly #school: DrillSchool;
  /** The state that all surfaces and read models must show after the loss. */
  expected = viewAfter([OFFLINE]);

  private constructor(fault: FaultStack, school: DrillSchool) {
    this.#fault = fault;
    this.#school = school;
  }

  /** Waits until all copies have what is written here. */
  static async begin(fault: FaultStack): Promise<NatsLoss> {
    const school = await DrillSchool.open(fault);
    await Promise.all([school.addAll(KEPT), school.teach(ENDED)]);
    const courses = { [ENDED]: ENDED, [KEPT]: KEPT };
    await until(() => school.view(), {
      school: courses,
      member: courses,
      readModel: [ENDED, KEPT],
      created: [ENDED, KEPT],
      people: [KEPT],
      notified: { [ENDED]: 1, [KEPT]: 2 },
      mails: { [KEPT]: 2 },
      delivered: { [ENDED]: 1, [KEPT]: 1 },
      unread: 3,
    });
    await school.untilIdle();
    await school.follow();
    return new NatsLoss(fault, school);
  }

  /** Loses the streams, consumers and buckets, with events that NATS has acknowledged and no service has read. */
  async lose(): Promise<Seconds> {
    const { stack, directory } = this.#fault;
    await stack.halt('member-api');
    const bringBack = await serveRequestsAlone(this.#fault, 'admin-api');
    await this.#school.rename(KEPT, 'changed');
    await this.#school.revoke(ENDED);
    await this.#school.addAll(UNREAD);
    for (const database of [DATABASES.auth, DATABASES['admin-api']]) await this.#untilPublished(database);
    await stack.kill('nats');
    await rm(join(directory, 'nats/jetstream'), { recursive: true });
    await this.#school.addAll(OFFLINE);
    const [, service] = await timed(async () => {
      await stack.start('nats');
      await Promise.all([bringBack(), stack.start('member-api')]);
    });
    const [, steps] = await timed(async () => {
      for (const { service: owner, command } of stepsAfterNatsLoss())
        await runServiceCommand(owner, stack.environment(owner), ...command);
    });
    return { service, steps };
  }

  /** Waits until everything shows what it must. */
  inLine(): Promise<DrillView> {
    return until(() => this.#school.view(), this.expected);
  }

  /** Writes on all surfaces, as after any day, and expects each of it once everywhere. */
  async writeAgain(): Promise<void> {
    await this.#school.addAll(LATER);
    this.expected = viewAfter([OFFLINE, LATER]);
  }

  /** The code of the error for a cursor of before the loss. */
  lateCursor(): Promise<string> {
    return this.#school.lateCursor();
  }

  end(): Promise<void> {
    return this.#school.close();
  }

  /** Waits until NATS has acknowledged all events of a database. */
  async #untilPublished(database: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#fault.stack.databaseUrl(database as 'auth') });
    await client.connect();
    try {
      await eventually(
        async () => (await client.query('select from outbox')).rowCount,
        (waiting) => waiting === 0,
      );
    } finally {
      await client.end();
    }
  }
}

/**
 * No state is lost, and members get every notification. The events that no service had read are lost, so these changes
 * have no webhook, and the feed of changes lacks them.
 *
 * @param later the courses after the loss
 */
function viewAfter(later: readonly string[]): DrillView {
  const each = <T>(of: (name: string) => T): Record<string, T> =>
    Object.fromEntries(later.map((name) => [name, of(name)]));
  const accessible = { [KEPT]: 'changed', [UNREAD]: UNREAD, ...each((name) => name) };
  return {
    school: { [ENDED]: ENDED, ...accessible },
    member: accessible,
    readModel: [ENDED, KEPT, UNREAD, ...later].toSorted(),
    created: [ENDED, KEPT, ...later].toSorted(),
    people: [KEPT, UNREAD, ...later].toSorted(),
    notified: { [ENDED]: 1, [KEPT]: 2, [UNREAD]: 2, ...each(() => 2) },
    mails: { [KEPT]: 2, [UNREAD]: 2, ...each(() => 2) },
    delivered: { [ENDED]: 1, [KEPT]: 1, ...each(() => 1) },
    unread: 5 + 2 * later.length,
  };
}
