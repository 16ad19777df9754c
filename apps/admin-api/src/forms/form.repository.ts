import type { OfSite } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Form } from './form.entity.js';

@Injectable()
export class FormRepository {
  /** Serializes the definitions of the forms of a site. Returns the number of its forms. */
  async lockAll(tx: EntityManager, { site_id }: OfSite): Promise<number> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`forms ${site_id}`]);
    const text = 'select count(*)::int as forms from forms where site_id = $1';
    const [row] = await tx.query<{ readonly forms: number }[]>(text, [site_id]);
    return row?.forms ?? 0;
  }

  /** Counts a submission of a locked form. Its version stays. */
  async count(tx: EntityManager, { site_id, id }: Pick<Form, 'site_id' | 'id'>): Promise<void> {
    const text = 'update forms set submissions_count = submissions_count + 1 where site_id = $1 and id = $2';
    await tx.query(text, [site_id, id]);
  }
}
