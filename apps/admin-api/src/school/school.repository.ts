import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SchoolDeclaration } from './school.schema.js';

interface Site {
  readonly site_id: string;
}

const COLUMNS = 'name, locale, timezone, currency, contact_email, support_url, terms_url, privacy_url';

@Injectable()
export class SchoolRepository {
  constructor(private readonly sql: Sql) {}

  async find(site: Site): Promise<SchoolDeclaration | undefined> {
    const [row] = await this.sql.query<SchoolDeclaration>(
      { name: 'schools_find', text: `select ${COLUMNS} from schools where site_id = $1` },
      [site.site_id],
    );
    return row;
  }

  async currency({ site_id }: Site, tx: EntityManager): Promise<string | null> {
    const text = 'select currency from schools where site_id = $1';
    const [row] = await tx.query<{ currency: string }[]>(text, [site_id]);
    return row?.currency ?? null;
  }

  /** Changes nothing if the site already has a school. */
  async insert(tx: EntityManager, site: Site, school: SchoolDeclaration): Promise<void> {
    await tx.query(
      `insert into schools (site_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (site_id) do nothing`,
      [
        site.site_id,
        school.name,
        school.locale,
        school.timezone,
        school.currency,
        school.contact_email,
        school.support_url,
        school.terms_url,
        school.privacy_url,
      ],
    );
  }
}
