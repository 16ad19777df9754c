import type { Caller, Created, Key } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import type { Course } from '#src/courses/course.entity.js';
import { CourseService } from '#src/courses/course.service.js';
import { CurriculumService } from '#src/curriculum/curriculum.service.js';
import { copyName, copyOf } from './course-copy.policy.js';
import { CourseCopyRepository } from './course-copy.repository.js';
import type { CourseCopy } from './course-copy.schema.js';

@Injectable()
export class CourseCopyService {
  constructor(
    private readonly courses: CourseService,
    private readonly curricula: CurriculumService,
    private readonly plans: CoursePlanService,
    private readonly repository: CourseCopyRepository,
  ) {}

  /**
   * Copies a course of any state with its parts, in a constant number of statements. Its lock also covers the parts.
   */
  async duplicate(caller: Caller, key: Key, { name, slug }: CourseCopy, tx: EntityManager): Promise<Created<Course>> {
    const source = await this.courses.lock(tx, caller, key);
    const named = {
      name: name ?? copyName(source.name),
      slug: slug ?? (await this.repository.freeSlug(tx, source)),
    };
    const made = await this.courses.create(caller, copyOf(source, named), tx);
    const duration_seconds = await this.curricula.copy(tx, caller, source, made.row);
    await this.plans.copy(tx, source, made.row);
    return { ...made, row: Object.assign(made.row, { duration_seconds }) };
  }
}
