import type { Principal } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import { course } from '#src/courses/course.schema.js';
import { CourseService } from '#src/courses/course.service.js';
import { enrollment } from '#src/enrollments/enrollment.schema.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';
import type { Student } from '#src/students/student.entity.js';
import { student } from '#src/students/student.schema.js';
import { StudentService } from '#src/students/student.service.js';
import type { SiteSeed } from './seed.schema.js';

/** Courses, students and enrollments. */
@Injectable()
export class EnrollmentSeed {
  constructor(
    private readonly courses: CourseService,
    private readonly lecturers: LecturerService,
    private readonly students: StudentService,
    private readonly enrollments: EnrollmentService,
    private readonly outbox: Outbox,
  ) {}

  async apply(principal: Principal, site: Pick<SiteSeed, 'courses' | 'students'>): Promise<void> {
    const courseIds = new Map<string, string>();
    for (const declared of site.courses) {
      courseIds.set(declared.slug, await this.#course(principal, declared));
    }
    for (const { enrollments, ...person } of site.students) {
      const row = await this.#student(principal, person);
      for (const slug of enrollments) {
        await this.#enroll(principal, row.id, await this.#courseId(principal, courseIds, slug));
      }
    }
  }

  async #student(principal: Principal, declared: Omit<SiteSeed['students'][number], 'enrollments'>): Promise<Student> {
    const { external_id } = declared;
    return this.outbox.transaction(async (tx) => {
      const { row } = await this.students.ensure(principal, student.create.parse(declared), tx);
      if (external_id === undefined || row.external_id === external_id) return row;
      return (await this.students.patch(principal, { id: row.id }, { external_id }, tx)).row;
    });
  }

  /** An ended enrollment is not created again. */
  async #enroll(principal: Principal, student_id: string, course_id: string): Promise<void> {
    const query = { course_id, limit: 1, sort: '-created_at', include_total: false };
    const known = await this.enrollments.list(principal, query, { student_id });
    if (known.rows.length > 0) return;
    const input = enrollment.create.parse({ course_id });
    await this.outbox.transaction((tx) => this.enrollments.enroll(principal, student_id, input, tx));
  }

  async #course(principal: Principal, { state, lecturers, ...declared }: SiteSeed['courses'][number]): Promise<string> {
    const { slug, external_id } = declared;
    const known = await this.courses.findBySlug(principal, slug);
    const lecturer_ids = await Promise.all(lecturers.map((lecturer) => this.lecturers.idOf(principal, lecturer)));
    return this.outbox.transaction(async (tx) => {
      if (known !== undefined) {
        const isNamed = external_id === undefined || known.external_id === external_id;
        if (!isNamed) await this.courses.patch(principal, { id: known.id }, { external_id }, tx);
        return known.id;
      }
      const { row } = await this.courses.create(principal, course.create.parse({ ...declared, lecturer_ids }), tx);
      if (state === 'published') await this.courses.move(principal, { id: row.id }, 'publish', tx);
      return row.id;
    });
  }

  async #courseId(principal: Principal, declared: ReadonlyMap<string, string>, slug: string): Promise<string> {
    const id = declared.get(slug) ?? (await this.courses.findBySlug(principal, slug))?.id;
    if (id === undefined) throw new Error(`There is no course "${slug}" at site ${principal.site_id}`);
    return id;
  }
}
