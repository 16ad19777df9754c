import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, UpsertRequest, Written } from '@lyceum/collections';
import { resendStudentInvitation, studentEvents } from '@lyceum/contracts';
import type { StudentReference } from '@lyceum/contracts';
import type { ApiError } from '@lyceum/errors';
import { Outbox, Requests } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { hasStepped, outside } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { Followers } from '#src/followers/followers.js';
import { restoration, updated } from './student.changes.js';
import type { Student } from './student.entity.js';
import {
  addsStudent,
  erasure,
  followRole,
  isEdit,
  isMeant,
  localPart,
  requireActiveStudent,
  studentInUse,
} from './student.policy.js';
import type { RoleNews, StudentState } from './student.policy.js';
import { STUDENT_IN_USE, StudentRepository } from './student.repository.js';
import type { StudentCreate, StudentListQuery, StudentPatch, StudentRestore } from './student.schema.js';
import { eventOf, studentStore } from './student.store.js';
import type { StudentStore } from './student.store.js';

/** Short, because the operator waits for it. */
const INVITATION_MS = 2_000;

interface EnsuredStudent extends Pick<Student, 'id'> {
  readonly created: boolean;
}

@Injectable()
export class StudentService {
  /** Notified when the person of a student changes. Events of other features name the person. */
  readonly linked = new Followers<Pick<Student, 'site_id' | 'id'>>();
  /** Notified when the personal data of a student is erased, before the removal. Later events name no person. */
  readonly erased = new Followers<Pick<Student, 'site_id' | 'id'>>();
  /** Notified when a student is removed. The subscriptions and grants of the student end. */
  readonly removed = new Followers<Pick<Student, 'site_id' | 'id' | 'person_id'>>();
  /** Notified when a removed student is active again. */
  readonly restored = new Followers<Pick<Student, 'site_id' | 'id'>>();
  readonly #students: StudentStore;

  constructor(
    stores: SiteStores,
    private readonly repository: StudentRepository,
    private readonly outbox: Outbox,
    private readonly requests: Requests,
  ) {
    this.#students = studentStore(stores);
  }

  list(caller: Caller, query: StudentListQuery): Promise<Page<Student>> {
    return this.#students.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Student> {
    return this.#students.get(caller, id);
  }

  /** Returns the students with these ids that the caller may see. */
  getAll(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, Student>> {
    return this.#students.findAll(caller, ids);
  }

  /** The student that a command names. */
  async referred(caller: Caller, reference: StudentReference, tx: EntityManager): Promise<Student> {
    return (await this.#students.find(caller, reference, tx)) ?? this.#students.missing();
  }

  /** Returns a student whom the transaction has locked, and locks any other. The counters may be older. */
  held(caller: Caller, id: string, tx: EntityManager): Promise<Student> {
    return this.#students.held(tx, caller, id);
  }

  /** Every change of a student or of their enrollments locks the student first. */
  async lock(caller: Caller, named: string | StudentReference, tx: EntityManager): Promise<Student> {
    const key = typeof named === 'string' ? { id: named } : named;
    return (await this.#students.findLocked(tx, caller, key)) ?? this.#students.missing();
  }

  /** Locks students without the fence. Returns the states of existing ones by their ids. */
  async lockAll(
    site: Pick<Caller, 'site_id'>,
    ids: readonly string[],
    tx: EntityManager,
  ): Promise<ReadonlyMap<string, StudentState>> {
    const locked = await this.repository.lockAll(tx, site, ids);
    return new Map(locked.map(({ id, state }) => [id, state]));
  }

  /** @throws `already_exists` for an address or an external id that the site knows. */
  async create(
    caller: Caller,
    { send_welcome_email, ...input }: StudentCreate,
    tx: EntityManager,
  ): Promise<Created<Student>> {
    requireAdministrator(caller, 'add students');
    const values = await this.#rowOf(caller, input, tx);
    return this.#students.insert(tx, caller, values, 'created', { send_welcome_email });
  }

  /** Adds many students as `create` does, in a constant number of statements. */
  async createAll(
    caller: Caller,
    items: readonly StudentCreate[],
    tx: EntityManager,
  ): Promise<readonly (Created<Student> | ApiError)[]> {
    requireAdministrator(caller, 'add students');
    const emails = items.map(({ email }) => email);
    const people = await this.repository.peopleOf(tx, caller, emails);
    const values = items.map(({ send_welcome_email: _mail, ...input }) => {
      const { person_id = null, member_id = null } = people.get(input.email) ?? {};
      return { ...input, name: input.name ?? localPart(input.email), person_id, member_id };
    });
    // The first of two items with one address is added.
    const mails = new Map(items.toReversed().map((item) => [item.email, item.send_welcome_email]));
    const also = ({ email }: Student) => ({ send_welcome_email: mails.get(email) ?? false });
    return this.#students.insertAll(tx, caller, values, 'created', also);
  }

  /** The student of the address: the one who exists, active again if they were removed, or else a new one. */
  async ensure(caller: Caller, input: StudentCreate, tx: EntityManager): Promise<Created<Student>> {
    const find = (): Promise<Student | undefined> => this.#students.findLocked(tx, caller, { email: input.email });
    const known = await find();
    if (known === undefined) {
      return this.create(caller, input, tx).catch(async (error: unknown) => {
        const existing = await find();
        if (existing === undefined) throw error;
        return { row: existing, changed: false, created: false };
      });
    }
    return { ...(await this.restore(caller, known, input, tx)), created: false };
  }

  /** Returns students by their addresses. Adds missing ones, without a mail. Existing ones may have any state. */
  async ensureAll(
    caller: Caller,
    named: readonly { readonly email: string; readonly name?: string | undefined }[],
    tx: EntityManager,
  ): Promise<ReadonlyMap<string, EnsuredStudent>> {
    requireAdministrator(caller, 'add students');
    const names = new Map<string, string>();
    for (const { email, name } of named) names.set(email, name ?? names.get(email) ?? localPart(email));
    const students = new Map<string, EnsuredStudent>();
    const find = async (): Promise<void> => {
      const missing = [...names.keys()].filter((email) => !students.has(email));
      const known = await this.repository.lockByEmail(tx, caller, missing);
      for (const { email, id } of known) students.set(email, { id, created: false });
    };
    await find();
    const missing = [...names].filter(([email]) => !students.has(email)).map(([email, name]) => ({ email, name }));
    if (missing.length === 0) return students;
    const added = await this.repository.insertAll(tx, caller, missing);
    await this.outbox.addAll(
      tx,
      studentEvents,
      'created',
      added.map((row) => eventOf(row)),
    );
    for (const { email, id } of added) students.set(email, { id, created: true });
    if (added.length < missing.length) await find();
    return students;
  }

  async upsert({
    tx,
    principal,
    body: { send_welcome_email, ...input },
    patch: { send_welcome_email: _mail, ...patch },
    ...key
  }: UpsertRequest<StudentCreate, StudentPatch & Partial<Pick<StudentCreate, 'send_welcome_email'>>>): Promise<
    Created<Student>
  > {
    requireAdministrator(principal, 'add students');
    const values = await this.#rowOf(principal, input, tx);
    return this.#students.upsert(tx, principal, key, {
      create: () => values,
      decide: (student) => updated(student, patch),
      also: { send_welcome_email },
    });
  }

  async restore(caller: Caller, key: Key | Student, mail: StudentRestore, tx: EntityManager) {
    const restored = await this.#students.change(tx, caller, key, (student) => restoration(student, mail));
    if (restored.changed) await this.restored.notify(tx, restored.row);
    return restored;
  }

  /** Requests another invitation mail from auth. Changes no row. */
  async resendInvitation(
    caller: Caller,
    { dry_run, ...key }: Key & { readonly dry_run: boolean },
    tx: EntityManager,
  ): Promise<Written<Student>> {
    const row = await this.#students.lock(tx, caller, key.id);
    if (!hasStepped()) {
      this.#students.requireMatch(row, key);
      requireActiveStudent(row.state);
    }
    const { id: student_id, email, site_id } = row;
    const call = { site_id, timeoutMs: INVITATION_MS };
    await outside(() => this.requests.request(resendStudentInvitation, { student_id, email, dry_run }, call));
    return { row, changed: false };
  }

  patch(caller: Caller, key: Key, patch: StudentPatch, tx: EntityManager): Promise<Written<Student>> {
    return this.#students.change(tx, caller, key, (student) => updated(student, patch));
  }

  /** @throws `resource_in_use` for a student with history. Auth then takes the role from the person. */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Student>> {
    // A student beyond the fence is not found, also for a caller who may delete none.
    await this.#students.lock(tx, caller, key.id);
    requireAdministrator(caller, 'delete students');
    const removed = await this.#students.remove(tx, caller, key, { sql: STUDENT_IN_USE, error: studentInUse() });
    // Later the removal of the member could not find the events of the student.
    const { id: aggregate_id, version } = removed.row;
    await this.outbox.erase(tx, studentEvents, { aggregate_id, version: version + 1 });
    return removed;
  }

  /**
   * Follows the roles of a person in auth: links the student of that address, adds one for a role that was given in
   * auth, removes one who lost it.
   */
  async followRole(caller: Caller, news: RoleNews, tx: EntityManager): Promise<void> {
    const student = await this.#studentOf(caller, news, tx);
    if (student === undefined) {
      if (addsStudent(news)) await this.#addFromRole(caller, news, tx);
      return;
    }
    const update = followRole(student, await this.#withFreeAddress(caller, student, news, tx));
    if (update === undefined) return;
    const { row } = await this.#students.change(tx, caller, student, () => ({ ...update, keepsTag: !isEdit(update) }));
    if (student.person_id === null) await this.linked.notify(tx, row);
    if (update.event === 'removed') await this.removed.notify(tx, row);
    else if (student.state === 'removed' && row.state === 'active') await this.restored.notify(tx, row);
  }

  /** Erases the personal data of the student of a removed member, and ends the link to the person. */
  async erase(caller: Caller, { person_id, email }: Pick<RoleNews, 'person_id' | 'email'>, tx: EntityManager) {
    const student = await this.#students.findLocked(tx, caller, { person_id });
    if (student === undefined) return;
    const changes = erasure(email);
    const { row } = await this.#students.change(tx, caller, student, () => ({ event: 'removed', changes }));
    await this.outbox.erase(tx, studentEvents, { aggregate_id: row.id, version: row.version });
    await this.repository.eraseNotes(tx, row);
    await this.erased.notify(tx, row);
    await this.removed.notify(tx, row);
  }

  async #studentOf(caller: Caller, news: RoleNews, tx: EntityManager): Promise<Student | undefined> {
    const known = await this.#students.findLocked(tx, caller, { person_id: news.person_id });
    if (known !== undefined) return known;
    const namesake = await this.#students.findLocked(tx, caller, { email: news.email });
    if (namesake === undefined || !isMeant(namesake, news)) return undefined;
    if (namesake.person_id === null) return namesake;
    // The address went from one person to another, and the event with the first one's new address is still on its way.
    throw new Error(`Student ${namesake.id} has the address of person ${news.person_id} and is another person`);
  }

  /** A person whose new address another student of the site has keeps the former one at the school. */
  async #withFreeAddress(caller: Caller, student: Student, news: RoleNews, tx: EntityManager): Promise<RoleNews> {
    if (student.email === news.email) return news;
    const other = await this.#students.findLocked(tx, caller, { email: news.email });
    return other === undefined || other.id === student.id ? news : { ...news, email: student.email };
  }

  async #addFromRole(
    caller: Caller,
    { email, name, person_id, member_id }: RoleNews,
    tx: EntityManager,
  ): Promise<void> {
    await this.#students.insert(tx, caller, { email, name, person_id, member_id }, 'created');
  }

  /** The columns of a new student, with the person whom auth has announced under the address. */
  async #rowOf(
    caller: Caller,
    input: Omit<StudentCreate, 'send_welcome_email' | 'external_id'>,
    tx: EntityManager,
  ): Promise<Partial<Student>> {
    const name = input.name ?? localPart(input.email);
    return { ...input, name, ...(await this.repository.personOf(tx, caller, input.email)) };
  }

  republication(): Republication<typeof studentEvents> {
    return this.#students.republication();
  }
}
