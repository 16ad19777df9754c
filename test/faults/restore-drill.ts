import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { DATABASES, type Postgres, runServiceCommand } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import { BaseBackup } from './base-backup.ts';
import { DrillSchool, type DrillView } from './drill-school.ts';
import type { FaultStack } from './fault-stack.ts';
import { type Owner, stepsAfterRestore } from './runbook.ts';

const POINT = 'before the loss';
/** A generous limit: events arrive within a second on an idle machine. */
const ARRIVAL_MS = 120_000;

/** Names of drill courses; each is also the end of a slug and the title of an announcement. */
const KEPT = 'kept';
const LOST = 'lost';

interface Seconds {
  readonly backup: number;
  readonly recovery: number;
}

/**
 * Writes, loses and restores on a running stack. All databases of the embedded server are recovered once to one point
 * in time; each service is restored alone from there, while the streams and the other databases are ahead.
 */
export class RestoreDrill {
  readonly #fault: FaultStack;
  readonly #recovered: Postgres;
  readonly #school: DrillSchool;
  /** Seconds of the base backup and of the recovery. */
  readonly seconds: Seconds;
  /** The state that all surfaces and read models must show now. */
  expected: DrillView;

  private constructor(
    fault: FaultStack,
    recovered: Postgres,
    school: DrillSchool,
    expected: DrillView,
    seconds: Seconds,
  ) {
    this.#fault = fault;
    this.#recovered = recovered;
    this.seconds = seconds;
    this.#school = school;
    this.expected = expected;
  }

  static async begin(fault: FaultStack): Promise<RestoreDrill> {
    const { stack, directory } = fault;
    const school = await DrillSchool.open(fault);
    const source = { directory: join(directory, 'postgres'), adminUrl: stack.postgres!.adminUrl };
    const [backup, copied] = await timed(() => BaseBackup.take(source, join(directory, 'restored')));
    await school.addAll(KEPT);
    const before = viewOf({ courses: { [KEPT]: KEPT }, people: [KEPT], sent: [KEPT], unread: 2 });
    await until(() => school.view(), before);
    await school.untilIdle();
    await backup.mark(POINT);

    await school.rename(KEPT, 'changed');
    await school.addAll(LOST);
    await school.readAll();
    await school.signInAgain();
    const ahead = { courses: { [KEPT]: 'changed', [LOST]: LOST }, people: [KEPT, LOST], sent: [KEPT, LOST], unread: 0 };
    await until(() => school.view(), viewOf(ahead));
    await school.follow();
    const [recovered, recovery] = await timed(() => backup.recover(POINT, Object.values(DATABASES)));
    return new RestoreDrill(fault, recovered, school, viewOf(ahead), { backup: copied, recovery });
  }

  /** Restores the database of a service, and follows the page. Returns the seconds from the stop to the last step. */
  async restore(owner: Owner): Promise<number> {
    const { stack } = this.#fault;
    const [, seconds] = await timed(async () => {
      await stack.halt(owner);
      const stopped = new Date().toISOString();
      this.#fault.set(owner, { DATABASE_URL: this.#recovered.url(DATABASES[owner]) });
      for (const { service, command } of stepsAfterRestore(owner, stopped)) {
        if (command[0] === 'serve') await stack.start(service);
        else await runServiceCommand(service, stack.environment(service), ...command);
      }
    });
    if (owner === 'member-api') this.#school.returnInbox();
    this.expected = restored(this.expected, owner);
    return seconds;
  }

  /** Waits until everything shows what it must. */
  inLine(): Promise<DrillView> {
    return until(() => this.#school.view(), this.expected);
  }

  /** Writes on all surfaces, as after any day, and expects each of it once everywhere. */
  async write(name: string): Promise<void> {
    await this.#school.addAll(name);
    const { school, people, notified, mails, delivered, unread } = this.expected;
    const courses = { ...school, [name]: name };
    this.expected = {
      ...this.expected,
      school: courses,
      member: courses,
      readModel: Object.keys(courses).toSorted(),
      created: [...this.expected.created, name].toSorted(),
      people: [...people, name].toSorted(),
      notified: { ...notified, [name]: 2 },
      mails: { ...mails, [name]: 2 },
      delivered: { ...delivered, [name]: 1 },
      unread: unread + 2,
    };
  }

  /** The codes of the errors for a cursor and for a token of the lost time. */
  lateCursor(): Promise<string> {
    return this.#school.lateCursor();
  }

  lateToken(): Promise<number> {
    return this.#school.lateToken();
  }

  async end(): Promise<void> {
    await this.#school.close();
    await this.#recovered.stop();
  }
}

interface Facts {
  readonly courses: Readonly<Record<string, string>>;
  readonly people: readonly string[];
  readonly sent: readonly string[];
  readonly unread: number;
}

function viewOf({ courses, people, sent, unread }: Facts): DrillView {
  const each = (count: number): Record<string, number> => Object.fromEntries(sent.map((name) => [name, count]));
  const names = Object.keys(courses).toSorted();
  return {
    school: courses,
    member: courses,
    readModel: names,
    created: names,
    people: people.toSorted(),
    // An enrollment and an announcement.
    notified: each(2),
    // An invitation and an announcement.
    mails: each(2),
    delivered: each(1),
    unread,
  };
}

/** The view after the restore of one database. Mails and deliveries have left the platform and stay. */
function restored(view: DrillView, owner: Owner): DrillView {
  const { [LOST]: _lost, ...others } = view.school;
  if (owner === 'admin-api') {
    const courses = { ...others, [KEPT]: KEPT };
    const created = view.created.filter((name) => name !== LOST);
    return { ...view, school: courses, member: courses, readModel: Object.keys(courses).toSorted(), created };
  }
  if (owner === 'auth') return { ...view, people: [KEPT] };
  // The inbox of the point, in which nothing is read.
  return { ...view, notified: { [KEPT]: 2 }, unread: 2 };
}

/** Waits for the view. An error is a view too: services respond with 503 until they have found auth again. */
export async function until(view: () => Promise<DrillView>, expected: DrillView): Promise<DrillView> {
  try {
    await eventually(
      () => view().catch(String),
      (now) => isDeepStrictEqual(now, expected),
      ARRIVAL_MS,
    );
    return expected;
  } catch (error) {
    throw new Error(`Expected ${JSON.stringify(expected)}. ${(error as Error).message}`, { cause: error });
  }
}

export async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const result = await work();
  return [result, (performance.now() - began) / 1_000];
}
