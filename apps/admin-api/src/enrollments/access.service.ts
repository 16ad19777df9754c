import { SiteStores } from '@lyceum/collections';
import type { Created, Written } from '@lyceum/collections';
import type { OfSite } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { together, uuidv7 } from '@lyceum/platform';
import { violates } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import type { AccessTerms } from '#src/course-plans/course-plan.policy.js';
import { StudentService } from '#src/students/student.service.js';
import {
  accessOf,
  endingSource,
  enrollmentSourceOf,
  firstStartOf,
  isSameAccess,
  planOf,
  withoutSource,
} from './access.policy.js';
import type { Grant } from './access.policy.js';
import { endOf, requireOpenCourse, requirePlan } from './enroll.policy.js';
import { grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import { enrollmentEventOf, isLive, requireFuture } from './enrollment.policy.js';
import type { EnrollmentSource } from './enrollment.policy.js';
import { followed, giftOf, isOf } from './gift.policy.js';
import type { AccessSource, FollowingAccess, GivenAccess } from './gift.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import type { CourseKey, Pair, Place } from './enrollment.repository.js';
import { enrollmentStore } from './enrollment.store.js';
import type { EnrollmentStore } from './enrollment.store.js';
import { changedOwn, ownDataOf } from './own-data.policy.js';
import type { OwnData } from './own-data.policy.js';

/** Locked courses with the enrollments of students, and the terms of their plans. */
export type LockedPlaces = Awaited<ReturnType<AccessService['lockWith']>>;

interface Giving {
  readonly student_id: string;
  /** Places that the transaction has locked, if it has written no enrollment since. */
  readonly locked?: LockedPlaces;
  /** Runs the decision about one item of the list, and can name the item in its error. */
  readonly each?: (index: number, decide: () => AccessChange) => AccessChange;
}

export interface Settlement {
  readonly now: Date;
  /** Name of the event. By default it follows from the states. */
  readonly event?: 'extended';
  /** Changed data of the school. */
  readonly own?: Partial<OwnData> | undefined;
}

/** The grants of an enrollment before and after a decision. The enrollment may be new. */
export interface AccessChange extends Omit<Place, 'course'> {
  readonly known: readonly Grant[];
  readonly decided: readonly Grant[];
  /** The source of an enrollment that becomes live. */
  readonly source: EnrollmentSource;
  /** By default the data stays. */
  readonly own?: OwnData;
}

/** Adds and revokes grants of enrollments, and maintains their sums, counters and events. */
@Injectable()
export class AccessService {
  readonly #enrollments: EnrollmentStore;

  constructor(
    stores: SiteStores,
    private readonly repository: EnrollmentRepository,
    private readonly students: StudentService,
    private readonly plans: CoursePlanService,
    private readonly outbox: Outbox,
  ) {
    this.#enrollments = enrollmentStore(stores);
  }

  /**
   * Gives a student access to different courses on behalf of a source, with a constant number of statements. Idempotent
   * by source, student and course: another period replaces the previous one, and revoked access of the source stays
   * revoked.
   */
  async give(
    site: OfSite,
    { student_id, each = (_index, decide) => decide(), ...read }: Giving,
    list: readonly GivenAccess[],
    tx: EntityManager,
  ): Promise<readonly Created<Enrollment>[]> {
    const { state } = await this.students.held(site, student_id, tx);
    const pairs = list.map(({ course_id }) => ({ student_id, course_id }));
    const ids = list.flatMap(({ plan_id }) => plan_id ?? []);
    const { places, terms } = read.locked ?? (await this.lockWith(site, pairs, ids, tx));
    const changes = list.map((one, index) =>
      each(index, () => {
        const place = places.find(({ course_id }) => course_id === one.course_id) ?? unsettled();
        return giftOf(one, { student: state, place, plan: one.plan_id === null ? null : terms.get(one.plan_id) });
      }),
    );
    return this.settleAll(tx, site, changes, { now: new Date() });
  }

  /**
   * Gives a locked student access to exactly these courses on behalf of a source, with a constant number of statements.
   * Access to other courses of the source ends as its end date would, and returns with the course. Access that an
   * operator let end earlier returns with a renewal. No new enrollment begins in an archived course.
   */
  async follow(site: OfSite, { student_id, course_ids, ...given }: FollowingAccess, tx: EntityManager): Promise<void> {
    const now = new Date();
    const { source } = given;
    const held = await this.repository.ofSource(tx, site, given);
    const ids = new Set([...course_ids, ...held.map(({ course_id }) => course_id)]);
    const pairs = [...ids].map((course_id) => ({ student_id, course_id }));
    const changes = (await this.lock(site, pairs, tx)).flatMap(({ course, ...place }): AccessChange[] => {
      const known = place.row === undefined ? [] : grantsOf(place.row);
      const isKnown = known.some((one) => isOf(one, given));
      if (!course_ids.includes(place.course_id)) {
        return [{ ...place, known, decided: endingSource(known, given, now), source: 'purchase' }];
      }
      if (!isKnown && (course === undefined || course === 'archived')) return [];
      return [
        { ...place, known, decided: followed(known, given, place.course_id), source: enrollmentSourceOf(source) },
      ];
    });
    await this.settleAll(tx, site, changes, { now });
  }

  /** Revokes the access of a source in one course or at the whole site. Access by other grants stays. */
  async takeBack(
    site: OfSite,
    source: AccessSource & { readonly course_id?: string },
    tx: EntityManager,
  ): Promise<readonly Enrollment[]> {
    const now = new Date();
    const pairs = await this.repository.ofSource(tx, site, source);
    const ids = pairs.map(({ student_id }) => student_id);
    await this.students.lockAll(site, ids, tx);
    const changes = changesBy(await this.lock(site, pairs, tx), (known) => withoutSource(known, source, now));
    const written = await this.settleAll(tx, site, changes, { now });
    return written.filter(({ changed }) => changed).map(({ row }) => row);
  }

  /** Locks courses, and reads the enrollments of locked students in them. */
  async lock(site: OfSite, pairs: readonly Pair[], tx: EntityManager): Promise<readonly Place[]> {
    return pairs.length === 0 ? [] : this.repository.lock(tx, site, pairs);
  }

  /** The same with the terms of plans of the courses, which the locks protect. */
  async lockWith(site: OfSite, pairs: readonly Pair[], plans: readonly string[], tx: EntityManager) {
    const [places, terms] = await together([this.lock(site, pairs, tx), this.plans.terms(tx, site, plans)]);
    return { places, terms };
  }

  /** The same without locks, for a forecast. */
  async find(site: OfSite, pairs: readonly Pair[], tx: EntityManager): Promise<readonly Place[]> {
    return pairs.length === 0 ? [] : this.repository.find(tx, site, pairs);
  }

  /** Changes the grants of a locked enrollment of a locked student, and publishes the change of access. */
  async settle(
    tx: EntityManager,
    row: Enrollment,
    decide: (grants: readonly Grant[]) => readonly Grant[],
    settlement: Settlement,
  ): Promise<Written<Enrollment>> {
    const { student_id, course_id, source } = row;
    const known = grantsOf(row);
    const own = { ...ownDataOf(row), ...settlement.own };
    const change = { student_id, course_id, source, row, known, decided: decide(known), own };
    const [{ created: _created, ...written } = unsettled()] = await this.settleAll(tx, row, [change], settlement);
    return written;
  }

  /** Writes the changes of locked places with one statement, and publishes those that change access. */
  async settleAll(
    tx: EntityManager,
    site: OfSite,
    changes: readonly AccessChange[],
    { now, event }: Settlement,
  ): Promise<readonly Created<Enrollment>[]> {
    const settled = changes.map((change) => settlementOf(change, now));
    const writing = settled.filter(({ same, changed, noted }) => !same || changed.length > 0 || noted.length > 0);
    const rows = writing.length === 0 ? undefined : await this.#write(tx, site, writing);
    const written: Created<Enrollment>[] = [];
    for (const { id, before, access, same, noted } of settled) {
      const row = rows?.get(id);
      if (row !== undefined && (!same || noted.length > 0)) {
        const name = same ? 'updated' : (event ?? enrollmentEventOf(before?.state ?? 'expired', access.state));
        await this.#enrollments.publish(tx, row, name, undefined, noted);
      }
      written.push({ row: row ?? before ?? unsettled(), changed: row !== undefined, created: before === undefined });
    }
    return written;
  }

  /**
   * Moves at most `limit` free enrollments to the current state, those of a site together. Returns their number.
   *
   * @param course is waited for before that. @throws `waitedTooLong`
   */
  followClock(limit: number, course?: CourseKey): Promise<number> {
    return this.outbox.transaction(async (tx) => {
      if (course !== undefined) await this.repository.waitForCourse(tx, course);
      const now = new Date();
      const due = await this.repository.lockDue(tx, now, limit);
      for (const [site_id, pairs] of Map.groupBy(due, (pair) => pair.site_id)) {
        const changes = changesBy(await this.lock({ site_id }, pairs, tx), (known) => known);
        await this.settleAll(tx, { site_id }, changes, { now });
      }
      return due.length;
    });
  }

  dueCourses(): Promise<readonly CourseKey[]> {
    return this.outbox.transaction((tx) => this.repository.dueCourses(tx, new Date()));
  }

  /** @throws when no enrollment can begin in the course. */
  async requireOpenCourse(site: OfSite, course_id: string, tx: EntityManager): Promise<void> {
    requireOpenCourse(await this.repository.courseState(tx, site, course_id));
  }

  /** @throws when no enrollment of a student can begin in the course, by the plan if one is given. */
  async requirePlace(
    site: OfSite,
    place: { readonly course_id: string; readonly plan_id: string | null },
    tx: EntityManager,
  ): Promise<void> {
    await this.requireOpenCourse(site, place.course_id, tx);
    const now = new Date();
    requireFuture(endOf(undefined, await this.#planOf(tx, site, place), now), now, '/plan_id');
  }

  /** @throws `already_exists` when another request has taken an external id meanwhile */
  #write(...written: Parameters<EnrollmentRepository['write']>): ReturnType<EnrollmentRepository['write']> {
    return this.repository.write(...written).catch((error: unknown) => {
      if (violates(error, 'enrollments_external_id')) this.#enrollments.taken('external_id');
      throw error;
    });
  }

  /** @throws `validation_failed` for a plan that the locked course does not have. */
  async #planOf(
    tx: EntityManager,
    site: OfSite,
    { course_id, plan_id }: { readonly course_id: string; readonly plan_id: string | null },
  ): Promise<AccessTerms | undefined> {
    if (plan_id === null) return undefined;
    const plan = (await this.plans.terms(tx, site, [plan_id])).get(plan_id);
    const own = plan?.course_id === course_id ? plan : undefined;
    requirePlan(own);
    return own;
  }
}

/** A change in the form of the repository. `same`: access stays. `noted`: changed data of the school. */
function settlementOf({ row: before, known, decided, source, ...given }: AccessChange, now: Date) {
  const { own = ownDataOf(before), ...pair } = given;
  const grants = decided.map((grant) => (grant.id === null ? { ...grant, id: uuidv7() } : grant));
  const access = accessOf(grants, now);
  const [live, lived] = [isLive(access.state), before !== undefined && isLive(before.state)];
  return {
    ...pair,
    id: before?.id ?? uuidv7(),
    before,
    access,
    grants,
    changed: grants.filter((grant) => !known.includes(grant)),
    own,
    // The first event of an enrollment has all members.
    noted: before === undefined ? [] : changedOwn(before, own),
    source: before === undefined || (live && !lived) ? source : before.source,
    live: Number(live) - Number(lived),
    same:
      before !== undefined &&
      isSameAccess(before, access) &&
      planOf(known) === planOf(grants) &&
      firstStartOf(known).getTime() === firstStartOf(grants).getTime(),
  };
}

/** The changes of the places that have an enrollment. */
function changesBy(places: readonly Place[], decide: (known: readonly Grant[]) => readonly Grant[]): AccessChange[] {
  return places.flatMap(({ row, course: _course, ...place }) => {
    const known = row === undefined ? [] : grantsOf(row);
    return row === undefined ? [] : [{ ...place, row, known, decided: decide(known), source: row.source }];
  });
}

function unsettled(): never {
  throw new Error('A change has no result');
}
