import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { StoredImage } from '#src/images/image.policy.js';

const APPROVED = `from client_logos l join clients c using (client_key, site_id)
     where l.site_id = $1 and l.client_key = $2 and l.bytes is not null and c.review = 'approved' and c.deleted_at is null`;
const READ = { name: 'client_logo_read', text: `select l.type, l.bytes ${APPROVED}` };
const EXISTS = { name: 'client_logo_exists', text: `select 1 as found ${APPROVED}` };

/** The logos of approved clients, and the jobs that fetch them. */
@Injectable()
export class ClientLogosRepository {
  constructor(private readonly sql: Sql) {}

  async read(siteId: string, clientKey: string): Promise<StoredImage | undefined> {
    return (await this.sql.query<StoredImage>(READ, [siteId, clientKey]))[0];
  }

  async exists(siteId: string, clientKey: string): Promise<boolean> {
    return (await this.sql.query(EXISTS, [siteId, clientKey])).length === 1;
  }

  /** Queues the fetch of the logo that the document of the client names now. */
  async request(manager: EntityManager, siteId: string, clientKey: string): Promise<void> {
    await this.remove(manager, siteId, clientKey);
    await manager.query(
      `insert into client_logos (site_id, client_key, logo_uri)
       select $1, client_key, logo_uri from client_documents where client_key = $2 and logo_uri is not null`,
      [siteId, clientKey],
    );
  }

  async remove(manager: EntityManager, siteId: string, clientKey: string): Promise<void> {
    await manager.query('delete from client_logos where site_id = $1 and client_key = $2', [siteId, clientKey]);
  }

  async save(manager: EntityManager, siteId: string, clientKey: string, { type, bytes }: StoredImage): Promise<void> {
    await manager.query('update client_logos set type = $3, bytes = $4 where site_id = $1 and client_key = $2', [
      siteId,
      clientKey,
      type,
      bytes,
    ]);
  }
}
