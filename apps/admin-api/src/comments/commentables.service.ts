import type { CourseReference, OfSite, postComment } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { CourseService } from '#src/courses/course.service.js';
import { LectureService } from '#src/curriculum/lecture.service.js';
import { PostService } from '#src/posts/post.service.js';
import type { Place } from './comment.policy.js';

type Reference = z.output<typeof postComment.input>['commentable'];
type OfCourse = Exclude<Reference['type'], 'post'>;

/** Finds the objects that students comment on. */
@Injectable()
export class Commentables {
  constructor(
    private readonly courses: CourseService,
    private readonly lectures: LectureService,
    private readonly posts: PostService,
  ) {}

  /** Locks a post, or the course of another object, so that neither of them is deleted. */
  async lock(site: OfSite, { type, ...reference }: Reference, tx: EntityManager): Promise<Place> {
    if (type === 'post') {
      const { id } = await this.posts.lockReferred(tx, site, reference);
      return { commentable_type: type, commentable_id: id, course_id: null };
    }
    const { course_id } = await this.#find(site, type, reference, tx);
    await this.courses.lock(tx, site, { id: course_id });
    return this.#find(site, type, reference, tx);
  }

  async #find(site: OfSite, type: OfCourse, reference: CourseReference, tx: EntityManager) {
    const found = await (type === 'course' ? this.courses : this.lectures).referred(site, reference, tx);
    const course_id = 'course_id' in found ? found.course_id : found.id;
    return { commentable_type: type, commentable_id: found.id, course_id };
  }
}
