import { ERASED_NAME, erasedEmail } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import type { Sent } from './world.js';

/** Tables that keep a row about a member after the erasure. */
const KEPT = ['memberships', 'member_erasures'];

const ERASED = { email: erasedEmail(uuidv7()), name: ERASED_NAME };

interface Holder {
  readonly site_id: string;
  readonly person_id: string;
}

type Again = (person_id: string | null, sent: Sent) => Promise<void>;

export const hoursAhead = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A member who leaves the site and returns, with what the school gives. */
export class LeavingMember {
  readonly #school: PurchaseWorld;
  /** Version of the membership. */
  #version = 1;
  #joined_at = '2026-01-02T03:04:05.000Z';
  /** Publishes what the member has again. */
  #published: Again[] = [];

  private constructor(
    readonly api: TestApi,
    readonly database: pg.Client,
    readonly holder: Holder,
    /** Tables with rows of members. */
    readonly names: readonly string[],
  ) {
    this.#school = new PurchaseWorld(api.world);
  }

  static async start(): Promise<LeavingMember> {
    const api = await startMemberApi();
    const database = await api.connect();
    const { rows } = await database.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public'
         and column_name in ('site_id', 'person_id') group by 1 having count(*) = 2 order by 1`,
    );
    const names = rows.map(({ name }) => name).filter((name) => !KEPT.includes(name));
    return new LeavingMember(api, database, await api.member(), names);
  }

  /** Publishes the erasure as auth does, and then as the school does. */
  async leave(): Promise<void> {
    await this.#role({ ...ERASED, roles: [] });
    for (const again of this.#published) await again(null, { name: 'linked', version: 2 });
    this.#published = [];
  }

  async join(): Promise<void> {
    this.#joined_at = new Date().toISOString();
    await this.#role({ roles: ['student'] });
  }

  /** Publishes the last erasure again, with its version, and then the membership. */
  async repeatErasure(): Promise<void> {
    const late = { version: this.#version - 1, occurred_at: '2026-01-01T00:00:00.000Z' };
    await this.api.world.role({ ...this.holder, ...ERASED, joined_at: this.#joined_at, roles: [] }, late);
    await this.#role({ roles: ['student'] });
  }

  /** Names of the tables with rows of the person at the site. */
  async tables({ site_id, person_id }: Holder = this.holder): Promise<string[]> {
    const found: string[] = [];
    for (const name of this.names) {
      const text = `select from ${name} where site_id = $1 and person_id = $2 limit 1`;
      if ((await this.database.query(text, [site_id, person_id])).rowCount === 1) found.push(name);
    }
    return found;
  }

  /** Gives the member everything, which the school publishes again when the member leaves. */
  async giveOwn(): Promise<void> {
    this.#published.push((await this.giveAll(this.holder)).again);
  }

  /** Gives a person something, and waits until each consumer has applied it, and all events before. */
  async giveAll(holder: Holder) {
    const given = await this.#give(holder);
    await eventually(
      () => this.tables(holder),
      (found) => found.length >= this.names.length - 1,
    );
    return given;
  }

  /** Waits until each consumer has applied all events before. */
  async settle(): Promise<void> {
    await this.giveAll({ ...this.holder, person_id: uuidv7() });
  }

  /** Enrolls the member in a course. The school ends the enrollment when the member leaves. */
  async enroll(course_id: string): Promise<void> {
    const { world } = this.api;
    const enrollment = await world.enrollment({ ...this.holder, course_id, started_at: hoursAhead(0) });
    this.#published.push(async (person_id, sent) => void (await world.enrollment({ ...enrollment, person_id }, sent)));
  }

  async newCourse(): Promise<string> {
    return (await this.api.world.course({ site_id: this.holder.site_id })).course_id;
  }

  /** Publishes the membership, and waits until the service has it. */
  async #role(given: { roles: 'student'[]; email?: string; name?: string }): Promise<void> {
    this.#version += 1;
    const { site_id, person_id } = this.holder;
    const membership = { site_id, person_id, joined_at: this.#joined_at, ...given };
    await this.api.world.role(membership, { version: this.#version });
    const known = 'select from memberships where site_id = $1 and person_id = $2 and version = $3';
    const values = [site_id, person_id, this.#version];
    await eventually(async () => (await this.database.query(known, values)).rowCount === 1);
  }

  /** Gives a person an enrollment with progress, and purchases. Returns how to publish them again. */
  async #give(holder: Holder) {
    const { site_id } = holder;
    const { course_id } = await this.api.world.course({ site_id });
    const now = hoursAhead(0);
    const enrollment = await this.api.world.enrollment({ ...holder, course_id, started_at: now });
    const progress = await this.api.world.progress({ ...holder, course_id, watched_at: now });
    const { digital_product_id } = await this.#school.product({ site_id });
    const grant = await this.#school.grant({ ...holder, digital_product_id });
    const { consulting_service_id } = await this.#school.service({ site_id });
    const purchase = await this.#school.purchase({ ...holder, consulting_service_id });
    const { purchase_id } = purchase;
    const times = { starts_at: hoursAhead(48), ends_at: hoursAhead(49) };
    const booking = await this.#school.booking({ ...holder, ...times, consulting_service_id, purchase_id });
    const { event_id } = await this.#school.event({ site_id });
    const registration = await this.#school.registration({ ...holder, event_id });
    const subscription = await this.#school.subscription({ ...holder, state_since: now });
    const again = async (person_id: string | null, sent: Sent): Promise<void> => {
      await this.api.world.enrollment({ ...enrollment, person_id }, sent);
      await this.api.world.progress({ ...progress, person_id }, sent);
      await this.#school.grant({ ...grant, person_id }, sent);
      await this.#school.purchase({ ...purchase, person_id }, sent);
      await this.#school.booking({ ...booking, person_id }, sent);
      await this.#school.registration({ ...registration, person_id }, sent);
      await this.#school.subscription({ ...subscription, person_id }, sent);
    };
    return { course_id, again };
  }
}
