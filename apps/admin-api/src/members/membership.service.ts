import type { Caller } from '@lyceum/collections';
import { isErasedEmail } from '@lyceum/contracts';
import type { Membership } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Followers } from '#src/followers/followers.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';
import { PictureService } from '#src/pictures/picture.service.js';
import { SchoolService } from '#src/school/school.service.js';
import { StudentService } from '#src/students/student.service.js';
import { requireCustomFields } from './custom-field.policy.js';
import type { ErasedPerson } from './erased-person.js';
import type { Member } from './member.entity.js';
import { MemberRepository } from './member.repository.js';
import type { MemberPatch } from './member.schema.js';

/** Applies a membership of identity to the member, the lecturer and the student of the person. */
@Injectable()
export class MembershipService {
  /** Newer states of memberships. */
  readonly followed = new Followers<Membership>();
  /** Removed members. */
  readonly erased = new Followers<ErasedPerson>();

  constructor(
    private readonly members: MemberRepository,
    private readonly students: StudentService,
    private readonly lecturers: LecturerService,
    private readonly school: SchoolService,
    private readonly pictures: PictureService,
  ) {}

  /** @throws `validation_failed` for values that the settings of the school do not provide for */
  async requireCustomFields(
    tx: EntityManager,
    site: Pick<Membership, 'site_id'>,
    given: Readonly<Record<string, unknown>> | null | undefined,
  ): Promise<void> {
    if (given === null || given === undefined || Object.keys(given).length === 0) return;
    requireCustomFields(await this.school.memberFields(site, tx), given);
  }

  /** A transaction of another member with the external id waits until this one ends. */
  reserve(tx: EntityManager, site: Pick<Membership, 'site_id'>, external_id: string): Promise<void> {
    return this.members.reserve(tx, site, external_id);
  }

  /** Completes a patch: the address and the file of the picture agree then. */
  settled(site: Caller, member: Member, patch: MemberPatch): MemberPatch {
    return this.pictures.settled(site, 'member_id', patch, member);
  }

  /** Makes a locked member use another file as the picture. Undefined: the file stays. */
  async show(tx: EntityManager, caller: Caller, { id }: Member, file_id: string | null | undefined): Promise<void> {
    if (file_id !== undefined) await this.pictures.use(tx, caller, 'member_id', id, file_id);
  }

  /** Applies a newer state. The event of a write has the state of its response, and changes nothing. */
  async follow(tx: EntityManager, membership: Membership): Promise<void> {
    const { site_id, person_id, member_id, name, roles, student_id } = membership;
    const email = membership.email.toLowerCase();
    const former = await this.members.replace(tx, membership);
    if (former === null) return;
    const erased = isErasedEmail(email) ? await this.members.erased(tx, membership, former) : undefined;
    if (erased !== undefined) await this.members.expirePicture(tx, membership);
    await this.followed.notify(tx, membership);
    const site = { site_id };
    await this.lecturers.followRole(site, { member_id, email, roles, former: erased?.texts ?? [] }, tx);
    if (erased !== undefined) {
      await this.erased.notify(tx, erased);
      return this.students.erase(site, { person_id, email }, tx);
    }
    const news = {
      person_id,
      member_id,
      email,
      name,
      isStudent: roles.includes('student'),
      wasStudent: former.roles.includes('student'),
      student_id,
    };
    await this.students.followRole(site, news, tx);
  }
}
