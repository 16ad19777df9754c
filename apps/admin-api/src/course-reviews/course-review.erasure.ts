import { SiteStores } from '@lyceum/collections';
import { reviewEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Student } from '#src/students/student.entity.js';
import { StudentService } from '#src/students/student.service.js';
import { CourseReviewRepository } from './course-review.repository.js';
import { courseReviewStore } from './course-review.store.js';
import type { CourseReviewStore } from './course-review.store.js';

/** Erases the words of a removed member. The rating stays, because the course counts it. */
@Injectable()
export class CourseReviewErasure {
  readonly #reviews: CourseReviewStore;

  constructor(
    stores: SiteStores,
    students: StudentService,
    private readonly repository: CourseReviewRepository,
    private readonly outbox: Outbox,
  ) {
    this.#reviews = courseReviewStore(stores);
    students.erased.add((tx, student) => this.#erase(tx, student));
  }

  async #erase(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    for (const row of await this.repository.eraseAll(tx, student)) {
      await this.#reviews.publish(tx, row, 'erased');
      await this.outbox.erase(tx, reviewEvents, { aggregate_id: row.id, version: row.version });
    }
  }
}
