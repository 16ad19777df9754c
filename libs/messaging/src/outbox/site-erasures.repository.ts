import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

/** A site with a pass that is due. */
export interface SiteErasure {
  readonly site_id: string;
  /** Completed passes. */
  readonly passes: number;
}

/** Time for one step of a pass. Another replica continues a pass whose replica ended. */
const LEASE = `interval '1 minute'`;
/**
 * Pauses after the first passes. The second pass deletes late writes of requests, jobs and consumers; the last one
 * follows after the longest life of an event.
 */
const PAUSES = ['1 hour', '1 day', '31 days'];

@Injectable()
export class SiteErasuresRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Requests the passes. A repetition requests them again. */
  async add(manager: EntityManager, siteId: string): Promise<void> {
    await manager.query(
      `insert into site_erasures (site_id) values ($1)
       on conflict (site_id) do update set requested_at = now(), passes = 0, next_at = now()`,
      [siteId],
    );
  }

  /** Takes a site whose pass is due; undefined without one. */
  async take(): Promise<SiteErasure | undefined> {
    const [[taken]] = await this.dataSource.query<[SiteErasure[], number]>(
      `update site_erasures set next_at = now() + ${LEASE}
        where site_id = (select site_id from site_erasures where next_at <= now()
                          order by next_at limit 1 for update skip locked)
       returning site_id, passes`,
    );
    return taken;
  }

  /** Keeps other replicas away from the site. Returns false if another replica has completed the pass. */
  async renew({ site_id, passes }: SiteErasure): Promise<boolean> {
    const [, renewed] = await this.dataSource.query<[unknown, number]>(
      `update site_erasures set next_at = now() + ${LEASE} where site_id = $1 and passes = $2`,
      [site_id, passes],
    );
    return renewed > 0;
  }

  /** Records a pass. The row stays after the last one: it marks the events of the site as obsolete. */
  async passed({ site_id, passes }: SiteErasure): Promise<void> {
    await this.dataSource.query(
      `update site_erasures set passes = passes + 1, next_at = now() + $2::interval where site_id = $1 and passes = $3`,
      [site_id, PAUSES[passes] ?? null, passes],
    );
  }
}
