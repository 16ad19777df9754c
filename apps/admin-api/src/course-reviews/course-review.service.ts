import { SiteStores } from '@lyceum/collections';
import type { Caller } from '@lyceum/collections';
import type { reviewEvents } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CourseService } from '#src/courses/course.service.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import type { CourseReview } from './course-review.entity.js';
import { ratingChange, replaces } from './course-review.policy.js';
import type { ReviewText } from './course-review.policy.js';
import { CourseReviewRepository } from './course-review.repository.js';
import type { CourseReviewListQuery } from './course-review.schema.js';
import { courseReviewStore } from './course-review.store.js';
import type { CourseReviewStore } from './course-review.store.js';

/** Reads and posts the reviews that members write in the storefronts of schools. */
@Injectable()
export class CourseReviewService {
  readonly #reviews: CourseReviewStore;

  constructor(
    stores: SiteStores,
    private readonly repository: CourseReviewRepository,
    private readonly enrollments: EnrollmentService,
    private readonly courses: CourseService,
  ) {
    this.#reviews = courseReviewStore(stores);
  }

  /** Lists the reviews of a course. Without `of`: those of all courses. */
  list(caller: Caller, query: CourseReviewListQuery, of?: { readonly course_id: string }): Promise<Page<CourseReview>> {
    return listBelow(this.#reviews.list(caller, query, of), () => of && this.courses.get(caller, of.course_id));
  }

  get(caller: Caller, id: string): Promise<CourseReview> {
    return this.#reviews.get(caller, id);
  }

  /** Adds or replaces the review of a student whose enrollment is active or was then. Updates the course's rating. */
  async post(
    caller: Caller,
    place: { readonly student_id: string; readonly course_id: string },
    review: ReviewText,
    tx: EntityManager,
    pointer: string,
  ): Promise<CourseReview> {
    requireOccurred(review.reviewed_at, new Date(), pointer);
    // The lock of the student serializes their reviews.
    const { row: enrollment } = await this.enrollments.lockActive(caller, place, review.reviewed_at, tx);
    const known = await this.#reviews.findLocked(tx, caller, place);
    if (known !== undefined && !replaces(review, known)) return known;
    const made = { ...place, ...review, enrollment_id: enrollment.id };
    const { row } = await (known === undefined
      ? this.#reviews.insert(tx, caller, made, 'posted')
      : this.#reviews.change(tx, caller, known, () => ({ event: 'posted', changes: review })));
    const change = ratingChange(review, known);
    if (change.count !== 0 || change.total !== 0) await this.repository.rate(tx, row, change);
    return row;
  }

  republication(): Republication<typeof reviewEvents> {
    return this.#reviews.republication();
  }
}
