import { setImmediate } from 'node:timers/promises';
import type { Caller } from '@lyceum/collections';
import { studentEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { refused } from '#src/import-rows/import-row.policy.js';
import type { RowRefusal } from '#src/import-rows/import-row.policy.js';
import { decideStudent } from './student-import.policy.js';
import type {
  Namesakes,
  StudentDecision,
  StudentImportRule,
  StudentRow,
  StudentValues,
} from './student-import.policy.js';
import { StudentRepository } from './student.repository.js';
import { eventOf } from './student.store.js';
import type { PublishedStudent } from './student.store.js';

/** Events of one turn of the event loop: requests of others come between. */
const EVENTS_OF_TURN = 50;

interface Import extends StudentImportRule {
  readonly send_welcome_email: boolean;
}

export type StudentOutcome =
  | { readonly kind: 'created' | 'updated' | 'skipped'; readonly student_id: string }
  | { readonly kind: 'refused'; readonly refusal: RowRefusal };

type Change = StudentDecision & { kind: 'updated' };

/** Adds and changes many students with the same number of statements. No two rows have one address or external id. */
@Injectable()
export class StudentImports {
  constructor(
    private readonly repository: StudentRepository,
    private readonly outbox: Outbox,
  ) {}

  /** The decisions on rows as of now. Changes nothing. */
  preview(caller: Caller, rows: readonly StudentRow[], rule: StudentImportRule): Promise<readonly StudentDecision[]> {
    requireAdministrator(caller, 'import students');
    return this.#decide(caller, rows, rule);
  }

  /** Writes rows, each as a single creation or patch does. Returns the outcome of each row. */
  async run(
    caller: Caller,
    rows: readonly StudentRow[],
    { send_welcome_email, ...rule }: Import,
    tx: EntityManager,
  ): Promise<readonly StudentOutcome[]> {
    requireAdministrator(caller, 'import students');
    const decisions = await this.#decide(caller, rows, rule, tx);
    const added = decisions.flatMap((one) => (one.kind === 'created' ? [one.values] : []));
    const changes = decisions.filter((one) => one.kind === 'updated');
    const ids = await this.#add(caller, added, send_welcome_email, tx);
    await this.#change(caller, changes, tx);
    return decisions.map((one): StudentOutcome => {
      if (one.kind === 'refused') return one;
      if (one.kind !== 'created') return { kind: one.kind, student_id: one.found.id };
      const student_id = ids.get(one.values.email);
      return student_id === undefined
        ? refused('', 'already_exists', 'Another student got the address or the external id meanwhile')
        : { kind: 'created', student_id };
    });
  }

  async #decide(
    caller: Caller,
    rows: readonly StudentRow[],
    rule: StudentImportRule,
    tx?: EntityManager,
  ): Promise<readonly StudentDecision[]> {
    const names = {
      emails: rows.flatMap(({ email }) => email ?? []),
      external_ids: rows.flatMap(({ external_id }) => external_id ?? []),
    };
    const known = await this.repository.known(caller, names, tx);
    const byEmail = new Map(known.map((student) => [student.email, student]));
    const byExternalId = new Map(known.map((student) => [student.external_id ?? '', student]));
    // No external id is empty.
    byExternalId.delete('');
    const namesakesOf = ({ email, external_id }: StudentRow): Namesakes => ({
      email: byEmail.get(email ?? ''),
      external_id: byExternalId.get(external_id ?? ''),
    });
    return rows.map((row) => decideStudent(row, namesakesOf(row), rule));
  }

  /** The ids of new students by their addresses. */
  async #add(
    caller: Caller,
    students: readonly StudentValues[],
    send_welcome_email: boolean,
    tx: EntityManager,
  ): Promise<ReadonlyMap<string, string>> {
    if (students.length === 0) return new Map();
    const added = await this.repository.insertAll(tx, caller, students);
    await this.#publish(tx, 'created', added, (row) => eventOf(row, { send_welcome_email }));
    return new Map(added.map(({ email, id }) => [email, id]));
  }

  async #change(caller: Caller, changes: readonly Change[], tx: EntityManager): Promise<void> {
    if (changes.length === 0) return;
    const wanted = changes.map((one) => Object.assign({}, one.found, one.changes));
    const rows = await this.repository.updateAll(tx, caller, wanted);
    const fields = new Map(changes.map((one) => [one.found.id, Object.keys(one.changes)]));
    await this.#publish(tx, 'updated', rows, (row) => eventOf(row, {}, fields.get(row.id)));
  }

  async #publish(
    tx: EntityManager,
    name: 'created' | 'updated',
    rows: readonly PublishedStudent[],
    event: (row: PublishedStudent) => NewEvent<typeof studentEvents>,
  ): Promise<void> {
    for (let at = 0; at < rows.length; at += EVENTS_OF_TURN) {
      if (at > 0) await setImmediate();
      await this.outbox.addAll(tx, studentEvents, name, rows.slice(at, at + EVENTS_OF_TURN).map(event));
    }
  }
}
