import type { Caller } from '@lyceum/collections';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import type { RowOutcome } from '#src/import-rows/import-row.policy.js';
import type { StudentState } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { AccessService } from './access.service.js';
import { keyOf } from './enrollment.changes.js';
import { decideEnrollment } from './enrollment-rows.changes.js';
import type { EnrollmentDecision, NamedRow } from './enrollment-rows.changes.js';
import type { Pair } from './enrollment.repository.js';
import { EnrollmentRowsRepository } from './enrollment-rows.repository.js';
import type { NamedIds } from './enrollment-rows.repository.js';

/** Adds and changes many enrollments in a constant number of statements. No two rows have the values of one key. */
@Injectable()
export class EnrollmentImports {
  constructor(
    private readonly repository: EnrollmentRowsRepository,
    private readonly access: AccessService,
    private readonly students: StudentService,
    private readonly plans: CoursePlanService,
    private readonly outbox: Outbox,
  ) {}

  /** The decisions on rows as of now, without locks. Changes nothing. */
  preview(caller: Caller, rows: readonly NamedRow[], mode: ImportMode): Promise<readonly RowOutcome[]> {
    return this.outbox.transaction(
      async (tx) => (await this.#decide(caller, rows, { mode, locks: false }, tx)).decisions,
    );
  }

  /** Writes rows, each as an enrollment by hand or a single patch does. Returns the outcome of each row. */
  async run(
    caller: Caller,
    rows: readonly NamedRow[],
    mode: ImportMode,
    tx: EntityManager,
  ): Promise<readonly RowOutcome[]> {
    const { decisions, now } = await this.#decide(caller, rows, { mode, locks: true }, tx);
    const added = decisions.flatMap((one) => (one.kind === 'created' ? [one.values] : []));
    const changes = decisions.flatMap((one) => (one.kind === 'updated' ? [one.changes] : []));
    const [moved, noted] = [changes.filter(({ moves }) => moves), changes.filter(({ moves }) => !moves)];
    await this.access.settleAll(tx, caller, [...added, ...noted], { now });
    await this.access.settleAll(tx, caller, moved, { now, event: 'extended' });
    return decisions;
  }

  async #decide(
    caller: Caller,
    rows: readonly NamedRow[],
    { mode, locks }: { readonly mode: ImportMode; readonly locks: boolean },
    tx: EntityManager,
  ): Promise<{ readonly decisions: readonly EnrollmentDecision[]; readonly now: Date }> {
    requireAdministrator(caller, 'enroll students');
    const named = await this.repository.named(tx, caller, rows);
    const known = statesOf(named);
    const students = locks ? await this.students.lockAll(caller, [...known.keys()], tx) : known;
    const pairs = named.flatMap((one) => [pairOf(one) ?? [], keyedPairOf(one) ?? []].flat());
    const wanted = [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()];
    const found = await (locks ? this.access.lock(caller, wanted, tx) : this.access.find(caller, wanted, tx));
    const places = new Map(found.map((place) => [keyOf(place), place]));
    const plans = await this.plans.terms(
      tx,
      caller,
      rows.flatMap(({ plan_id }) => plan_id ?? []),
    );
    const placeOf = (pair: Pair | undefined) => (pair === undefined ? undefined : places.get(keyOf(pair)));
    // After the locks, as in an enrollment by hand.
    const now = new Date();
    const decisions = rows.map((row, index) => {
      const ids = named[index];
      if (ids === undefined) throw new Error('A row names nothing');
      const facts = {
        place: placeOf(pairOf(ids)),
        keyed: placeOf(keyedPairOf(ids)),
        student_id: ids.student_id ?? undefined,
        course_id: ids.course_id ?? undefined,
        students,
        plan: plans.get(row.plan_id ?? ''),
      };
      return decideEnrollment(row, facts, mode, now);
    });
    return { decisions, now };
  }
}

function pairOf({ student_id, course_id }: Pick<NamedIds, 'student_id' | 'course_id'>): Pair | undefined {
  return student_id === null || course_id === null ? undefined : { student_id, course_id };
}

function keyedPairOf({ keyed_student_id, keyed_course_id }: NamedIds): Pair | undefined {
  return pairOf({ student_id: keyed_student_id, course_id: keyed_course_id });
}

function statesOf(named: readonly NamedIds[]): ReadonlyMap<string, StudentState> {
  const states = new Map<string, StudentState>();
  for (const one of named) {
    if (one.student_id !== null && one.student_state !== null) states.set(one.student_id, one.student_state);
    if (one.keyed_student_id !== null && one.keyed_student_state !== null) {
      states.set(one.keyed_student_id, one.keyed_student_state);
    }
  }
  return states;
}
