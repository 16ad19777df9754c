import type { OfSite } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { wholeSettings } from './school.policy.js';
import type { SchoolSettings } from './school.policy.js';

/** A row of `schools`. Version 0: the school never changed its settings. */
export interface School extends SchoolSettings {
  readonly site_id: string;
  readonly version: number;
  readonly updated_at: Date | null;
}

const PLAIN = [
  'name',
  'locale',
  'timezone',
  'currency',
  'contact_email',
  'support_url',
  'subscription_grace_days',
] as const;
// A lock creates a row of version 0, even for a request that changes nothing.
const COLUMNS = `site_id, version, case when version > 0 then updated_at end as updated_at, ${PLAIN.join(', ')},
  url_templates, member_fields,
  jsonb_build_object('name', legal_name, 'terms_url', terms_url, 'privacy_url', privacy_url) as legal,
  jsonb_build_object('mcp_connections', mcp_connections) as features`;

const whole = (row: School): School => ({ ...row, ...wholeSettings(row) });

@Injectable()
export class SchoolRepository {
  constructor(private readonly sql: Sql) {}

  async find(site: OfSite): Promise<School | undefined> {
    const [row] = await this.sql.query<School>(
      { name: 'schools_find', text: `select ${COLUMNS} from schools where site_id = $1` },
      [site.site_id],
    );
    return row && whole(row);
  }

  /** The time zone alone, for requests that have a date. Null: the school has set none. */
  async timezone({ site_id }: OfSite, tx?: EntityManager): Promise<string | null> {
    type Row = Pick<School, 'timezone'>;
    const statement = { name: 'schools_timezone', text: 'select timezone from schools where site_id = $1' };
    const [row] = await this.sql.query<Row>(statement, [site_id], tx);
    return row?.timezone ?? null;
  }

  async currency({ site_id }: OfSite, tx: EntityManager): Promise<string | null> {
    const text = 'select currency from schools where site_id = $1';
    const [row] = await tx.query<{ currency: string | null }[]>(text, [site_id]);
    return row?.currency ?? null;
  }

  /** Locked for share, so that a change of the fields waits until the transaction ends. */
  async memberFields({ site_id }: OfSite, tx: EntityManager): Promise<School['member_fields']> {
    const text = 'select member_fields from schools where site_id = $1 for share';
    const [row] = await tx.query<Pick<School, 'member_fields'>[]>(text, [site_id]);
    return row?.member_fields ?? [];
  }

  /** Undefined: the school never changed its settings. */
  async billing(
    { site_id }: OfSite,
    tx: EntityManager,
  ): Promise<Pick<School, 'timezone' | 'subscription_grace_days'> | undefined> {
    const text = 'select timezone, subscription_grace_days from schools where site_id = $1';
    const [row] = await tx.query<Pick<School, 'timezone' | 'subscription_grace_days'>[]>(text, [site_id]);
    return row;
  }

  /** Locks the row. Creates a missing one, so that the first two writers are serialized too. */
  async lock(tx: EntityManager, site: OfSite): Promise<School> {
    return this.#one(
      tx,
      `insert into schools (site_id, version) values ($1, 0)
       on conflict (site_id) do update set site_id = excluded.site_id returning ${COLUMNS}`,
      [site.site_id],
    );
  }

  /** Writes the next version of a locked row. */
  async save(tx: EntityManager, site: OfSite, settings: SchoolSettings): Promise<School> {
    const { legal, url_templates, features, member_fields } = settings;
    return this.#one(
      tx,
      `update schools set version = version + 1, updated_at = now(), name = $2, locale = $3, timezone = $4, currency = $5,
         contact_email = $6, support_url = $7, subscription_grace_days = $8, legal_name = $9, terms_url = $10,
         privacy_url = $11, url_templates = $12, mcp_connections = $13, member_fields = $14
       where site_id = $1 returning ${COLUMNS}`,
      [
        site.site_id,
        ...PLAIN.map((column) => settings[column]),
        legal.name,
        legal.terms_url,
        legal.privacy_url,
        JSON.stringify(url_templates),
        features.mcp_connections,
        JSON.stringify(member_fields),
      ],
    );
  }

  /** Returns the next batch, ordered by site and locked for share. */
  async share(tx: EntityManager, [site_id]: readonly string[], limit: number): Promise<School[]> {
    const rows = await tx.query<School[]>(
      `select ${COLUMNS} from schools where site_id > $1 and version > 0 order by site_id limit $2 for share`,
      [site_id, limit],
    );
    return rows.map(whole);
  }

  async #one(tx: EntityManager, text: string, values: unknown[]): Promise<School> {
    const [row] = await tx.query<School[]>(`with one as (${text}) select * from one`, values);
    if (row === undefined) throw new Error('The statement returned no row');
    return whole(row);
  }
}
