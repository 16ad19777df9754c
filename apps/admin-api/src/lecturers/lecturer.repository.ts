import { TEACHING_ROLES } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Lecturer } from './lecturer.entity.js';
import type { LecturerDeclaration } from './lecturer.schema.js';

/** A member of a site, with the address of the person in auth. */
interface Teacher {
  readonly site_id: string;
  readonly member_id: string;
  readonly email: string;
}

@Injectable()
export class LecturerRepository {
  /** Inserts nothing when the slug is taken at the site. */
  async insert(
    tx: EntityManager,
    { site_id }: { readonly site_id: string },
    lecturer: LecturerDeclaration,
  ): Promise<void> {
    const values = { ...lecturer, site_id };
    await tx.createQueryBuilder().insert().into(Lecturer).values(values).orIgnore().updateEntity(false).execute();
  }

  /** Links lecturers of the address that have no member to this member. */
  async link(tx: EntityManager, { site_id, member_id, email }: Teacher): Promise<void> {
    await tx.query(
      `update lecturers set member_id = $2, version = version + 1
       where site_id = $1 and email = $3 and member_id is null`,
      [site_id, member_id, email],
    );
  }

  async unlink(tx: EntityManager, { site_id, member_id }: Teacher): Promise<void> {
    await tx.query(
      'update lecturers set member_id = null, version = version + 1 where site_id = $1 and member_id = $2',
      [site_id, member_id],
    );
  }

  /** Links a lecturer that was declared after the event of the member. */
  async linkKnown(
    tx: EntityManager,
    { site_id, slug }: { readonly site_id: string; readonly slug: string },
  ): Promise<void> {
    await tx.query(
      `update lecturers l set member_id = p.member_id, version = l.version + 1
       from people_roles p
       where l.site_id = $1 and l.slug = $2 and l.member_id is null
         and p.site_id = l.site_id and p.email = l.email and p.member_id is not null and p.roles && $3`,
      [site_id, slug, TEACHING_ROLES],
    );
  }
}
