import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lecturers of courses, and the members of lecturers (ADR 50). */
export class CourseLecturers1764000060000 implements MigrationInterface {
  name = 'CourseLecturers1764000060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table course_lecturers (
        site_id uuid not null,
        course_id uuid not null,
        lecturer_id uuid not null,
        -- In the order in which the course names them
        position int not null,
        -- the lecturers of a course
        primary key (site_id, course_id, lecturer_id),
        foreign key (site_id, course_id) references courses (site_id, id) on delete cascade,
        foreign key (site_id, lecturer_id) references lecturers (site_id, id)
      );
      -- the fence of teachers: the courses of a lecturer
      create index course_lecturers_by_lecturer on course_lecturers (site_id, lecturer_id, course_id);
      -- the fence of teachers: the lecturer of a member. A membership is of one site.
      create index lecturers_by_member on lecturers (member_id);
      -- the link of a lecturer to the member of that address
      create index lecturers_by_email on lecturers (site_id, email);
      -- the fence of teachers: the students of a course
      create index enrollments_by_course_and_student on enrollments (site_id, course_id, student_id);
    `);
    await runner.query(`
      update lecturers l set member_id = p.member_id, version = l.version + 1
      from people_roles p
      where p.site_id = l.site_id and p.email = l.email and l.member_id is null and p.member_id is not null
        and p.roles && array['lecturer', 'teaching_assistant']
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index enrollments_by_course_and_student;
      drop index lecturers_by_email;
      drop index lecturers_by_member;
      drop table course_lecturers;
    `);
  }
}
