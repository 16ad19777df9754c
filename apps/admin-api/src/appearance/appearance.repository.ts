import type { OfSite, Principal } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Where, listStatement } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import { wholeSettings } from './appearance.policy.js';
import type { AppearanceSettings } from './appearance.policy.js';
import { MAX_REVISIONS } from './appearance.schema.js';
import type { RevisionListQuery } from './appearance.schema.js';

/** The member who makes a change, and the application. */
export type Author = Pick<Principal, 'site_id' | 'person_id' | 'member_id' | 'client_id' | 'roles'>;

/** A row of `appearances`. Version 0: the site never changed its appearance. */
export interface Appearance {
  readonly site_id: string;
  readonly version: number;
  readonly settings: AppearanceSettings;
  readonly updated_at: Date | null;
}

/** A row of `appearance_revisions`. */
export interface Revision {
  readonly id: string;
  readonly settings: AppearanceSettings;
  readonly restored_from: string | null;
  readonly member_id: string | null;
  readonly client_id: string;
  readonly created_at: Date;
}

/** An appearance after a change, with the id of its revision. */
export interface SavedAppearance extends Appearance {
  readonly revision_id: string;
}

export interface AppearanceChange {
  readonly settings: AppearanceSettings;
  readonly restored_from: string | null;
}

const COLUMNS = 'site_id, version, settings, updated_at';
const REVISION = 'id, settings, restored_from, member_id, client_id, created_at';

const whole = <Row extends { readonly settings: Partial<AppearanceSettings> }>(row: Row) => ({
  ...row,
  settings: wholeSettings(row.settings),
});

@Injectable()
export class AppearanceRepository {
  constructor(private readonly sql: Sql) {}

  async find(site: OfSite): Promise<Appearance | undefined> {
    const [row] = await this.sql.query<Appearance>(
      { name: 'appearances_find', text: `select ${COLUMNS} from appearances where site_id = $1` },
      [site.site_id],
    );
    return row && whole(row);
  }

  /** Locks the row. Creates a missing one, so that the first two writers are serialized too. */
  async lock(tx: EntityManager, site: OfSite): Promise<Appearance> {
    const [row] = await tx.query<Appearance[]>(
      `insert into appearances (site_id) values ($1)
       on conflict (site_id) do update set site_id = excluded.site_id returning ${COLUMNS}`,
      [site.site_id],
    );
    if (row === undefined) throw new Error('The upsert returned no row');
    return whole(row);
  }

  /** Writes the next version of a locked row and its revision. */
  async save(tx: EntityManager, principal: Author, change: AppearanceChange): Promise<SavedAppearance> {
    const [row] = await tx.query<SavedAppearance[]>(
      `with saved as (
         update appearances set version = version + 1, settings = $2, updated_at = now()
         where site_id = $1 returning ${COLUMNS}),
       kept as (
         insert into appearance_revisions (site_id, version, settings, person_id, client_id, restored_from, member_id)
         select site_id, version, settings, $3, $4, $5, $6 from saved returning id)
       select ${COLUMNS}, (select id from kept) as revision_id from saved`,
      [
        principal.site_id,
        JSON.stringify(change.settings),
        principal.person_id,
        principal.client_id,
        change.restored_from,
        principal.member_id,
      ],
    );
    if (row === undefined) throw new Error('The locked row is missing');
    return whole(row);
  }

  /** Deletes the revisions before the last ones of a locked appearance. The uses of their files end. */
  async forget(tx: EntityManager, { site_id, version }: Pick<Appearance, 'site_id' | 'version'>): Promise<void> {
    await tx.query('delete from appearance_revisions where site_id = $1 and version <= $2', [
      site_id,
      version - MAX_REVISIONS,
    ]);
  }

  async revisions(
    site: OfSite,
    query: RevisionListQuery,
    after: Position | undefined,
  ): Promise<(Revision & { total_count?: number })[]> {
    const where = new Where(site).range('created_at', query);
    const source = { columns: REVISION, table: 'appearance_revisions', where };
    const statement = listStatement(source, query, after);
    // With a total, an empty list is one row of nulls.
    const rows = await this.sql.query<Revision & { total_count?: number }>(statement, statement.values);
    return rows.map((row) => (row.id === null ? row : whole(row)));
  }

  async revision(tx: EntityManager, site: OfSite, id: string): Promise<Revision | undefined> {
    const [row] = await tx.query<Revision[]>(
      `select ${REVISION} from appearance_revisions where site_id = $1 and id = $2`,
      [site.site_id, id],
    );
    return row && whole(row);
  }

  /** The next batch by site, locked for share. */
  async share(tx: EntityManager, [site_id]: readonly string[], limit: number): Promise<Appearance[]> {
    const rows = await tx.query<Appearance[]>(
      `select ${COLUMNS} from appearances where site_id > $1 and version > 0 order by site_id limit $2 for share`,
      [site_id, limit],
    );
    return rows.map(whole);
  }
}
