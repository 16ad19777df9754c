import { roleEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { StudentService } from '#src/students/student.service.js';
import { RoleRepository } from './role.repository.js';

type RoleEvent = EventOf<readonly [typeof roleEvents]>;

/**
 * Applies role events of auth to the read model, and to the lecturer and the student of the person. When a student is linked
 * to a person, publishes the student's enrollments and progress again with the id of the person.
 */
@Injectable()
export class RoleConsumer {
  constructor(
    private readonly roles: RoleRepository,
    private readonly students: StudentService,
    private readonly enrollments: EnrollmentService,
    private readonly lecturers: LecturerService,
    private readonly progress: ProgressService,
  ) {}

  @ConsumesEach(roleEvents, 'roles')
  async handle({ data, epoch, aggregate_version: version }: RoleEvent, tx: EntityManager): Promise<void> {
    const { site_id, person_id, member_id, name, roles, student_id } = data;
    const email = data.email.toLowerCase();
    const position = { epoch, version };
    const previous = await this.roles.replace(tx, { site_id, person_id, member_id, email, name, roles, ...position });
    if (previous === null) return;
    if (member_id !== null) await this.lecturers.followRole({ site_id }, { member_id, email, roles }, tx);
    const news = {
      person_id,
      member_id,
      email,
      name,
      isStudent: roles.includes('student'),
      wasStudent: previous.includes('student'),
      student_id,
    };
    const { linked } = await this.students.followRole({ site_id }, news, tx);
    if (linked === undefined) return;
    await this.enrollments.resend({ site_id }, linked, tx);
    await this.progress.resend({ site_id }, linked, tx);
  }
}
