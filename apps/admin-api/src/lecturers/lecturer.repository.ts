import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Lecturer } from './lecturer.entity.js';
import type { LecturerDeclaration } from './lecturer.schema.js';

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
}
