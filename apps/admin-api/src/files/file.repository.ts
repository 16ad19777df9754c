import type { OfSite } from '@lyceum/contracts';
import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PUBLIC_PURPOSES } from './file-use.policy.js';
import type { File } from './file.entity.js';

export interface Quota {
  readonly bytes: number;
  readonly openUploads: number;
}

type NewFile = Pick<
  File,
  'site_id' | 'uploader_id' | 'purpose' | 'filename' | 'content_type' | 'bytes' | 'sha256' | 'expires_at' | 'sweep_at'
>;

export interface FileRow {
  readonly site_id: string;
  readonly id: string;
}

/** A file as a response with its bytes names it. */
export type StoredFile = Pick<File, 'site_id' | 'id' | 'filename' | 'content_type' | 'sha256'>;

type SameFile = Pick<File, 'site_id' | 'uploader_id' | 'purpose' | 'sha256'>;

/** Condition on `files`: those that a member uploaded. */
export const OF_UPLOADER = 'uploader_id = ?';

/** No request and no sweep checks the file. */
const UNLEASED = '(checked_until is null or checked_until <= now())';
const STORED = 'select site_id, id, filename, content_type, sha256 from files where site_id = $1';

@Injectable()
export class FileRepository {
  constructor(private readonly sql: Sql) {}

  /** The files of these ids that are ready. In a transaction, a second connection could exhaust the pool. */
  ready({ site_id }: OfSite, ids: readonly string[], tx?: EntityManager): Promise<StoredFile[]> {
    const statement = { name: 'files_ready', text: `${STORED} and id = any($2::uuid[]) and state = 'ready'` };
    const values = [site_id, ids];
    return tx ? preparedQuery<StoredFile>(tx, statement, values) : this.sql.query<StoredFile>(statement, values);
  }

  /** A file that everyone may read now. */
  async public({ site_id }: OfSite, id: string): Promise<StoredFile | undefined> {
    const text = `${STORED} and id = $2 and purpose = any ($3) and uses > 0`;
    const [row] = await this.sql.query<StoredFile>({ name: 'files_public', text }, [site_id, id, PUBLIC_PURPOSES]);
    return row;
  }

  /** A file of the uploader with these bytes that can be used now. */
  async stored({ site_id, uploader_id, purpose, sha256 }: SameFile): Promise<FileRow | undefined> {
    const text = `select site_id, id from files
      where site_id = $1 and uploader_id = $2 and purpose = $3 and sha256 = $4 and state = 'ready' order by id limit 1`;
    const [row] = await this.sql.query<FileRow>({ name: 'files_stored', text }, [
      site_id,
      uploader_id,
      purpose,
      sha256,
    ]);
    return row;
  }

  /** An attachment that an object uses. */
  async attached({ site_id }: OfSite, id: string): Promise<StoredFile | undefined> {
    const text = `${STORED} and id = $2 and purpose = 'attachment' and uses > 0`;
    const [row] = await this.sql.query<StoredFile>({ name: 'files_attached', text }, [site_id, id]);
    return row;
  }

  /** Inserts the file; returns undefined above the quota of the site. The uploads of a site are serialized. */
  async insert(tx: EntityManager, file: NewFile, quota: Quota): Promise<FileRow | undefined> {
    const [row] = await tx.query<FileRow[]>(
      `with taken as (
         insert into file_usage as used (site_id, bytes, open_uploads)
         select $1, $6, 1 where $6::bigint <= $10::bigint and 1 <= $11::int
         on conflict (site_id) do update
         set bytes = used.bytes + excluded.bytes, open_uploads = used.open_uploads + 1
         where used.bytes + excluded.bytes <= $10::bigint and used.open_uploads < $11::int
         returning 1)
       insert into files (site_id, uploader_id, purpose, filename, content_type, bytes, sha256, expires_at, sweep_at)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9 from taken
       returning site_id, id`,
      [
        file.site_id,
        file.uploader_id,
        file.purpose,
        file.filename,
        file.content_type,
        file.bytes,
        file.sha256,
        file.expires_at,
        file.sweep_at,
        quota.bytes,
        quota.openUploads,
      ],
    );
    return row;
  }

  /** Counts bytes of another table. Returns false above the quota of the site. */
  async take(tx: EntityManager, { site_id }: OfSite, bytes: number, quota: Quota): Promise<boolean> {
    const taken = await tx.query<unknown[]>(
      `insert into file_usage as used (site_id, bytes, open_uploads)
       select $1, $2, 0 where $2::bigint <= $3::bigint
       on conflict (site_id) do update set bytes = used.bytes + excluded.bytes
       where used.bytes + excluded.bytes <= $3::bigint
       returning 1`,
      [site_id, bytes, quota.bytes],
    );
    return taken.length > 0;
  }

  /** Gives a part of the quota back. */
  async release(tx: EntityManager, { site_id }: OfSite, { bytes, openUploads }: Quota): Promise<void> {
    await tx.query(
      'update file_usage set bytes = bytes - $2, open_uploads = open_uploads - $3 where site_id = $1 returning 1',
      [site_id, bytes, openUploads],
    );
  }

  /**
   * Rejects an expired file that no other replica has locked, so that no object can use it, and returns it. Until an
   * instant, no other call returns it.
   */
  async takeExpired(until: Date): Promise<FileRow | undefined> {
    const text = `with expired as (
        select site_id, id, state from files where sweep_at <= now() and ${UNLEASED}
        order by site_id limit 1 for update skip locked),
      closed as (
        update file_usage used set open_uploads = used.open_uploads - 1 from expired
        where used.site_id = expired.site_id and expired.state in ('pending', 'uploaded'))
      update files f
      set state = 'rejected', rejection = coalesce(f.rejection, 'aborted'), checked_until = null, sweep_at = $1
      from expired where f.site_id = expired.site_id and f.id = expired.id returning f.site_id, f.id`;
    const [row] = await this.sql.query<FileRow>({ name: 'files_take_expired', text }, [until]);
    return row;
  }

  /** Finds an unchecked file that no replica checks now. */
  async nextUploaded(after: FileRow): Promise<FileRow | undefined> {
    const text = `select site_id, id from files
      where state = 'uploaded' and (site_id, id) > ($1, $2) and ${UNLEASED} order by site_id, id limit 1`;
    const [row] = await this.sql.query<FileRow>({ name: 'files_next_uploaded', text }, [after.site_id, after.id]);
    return row;
  }

  /** Reserves the check of an open file until an instant. Returns false while another check has it. */
  async lease({ site_id, id }: FileRow, until: Date): Promise<boolean> {
    const text = `update files set checked_until = $3
      where site_id = $1 and id = $2 and state in ('pending', 'uploaded') and ${UNLEASED} returning 1`;
    return (await this.sql.query({ name: 'files_lease', text }, [site_id, id, until])).length > 0;
  }

  async endLease({ site_id, id }: FileRow, until: Date): Promise<void> {
    const text = 'update files set checked_until = null where site_id = $1 and id = $2 and checked_until = $3';
    await this.sql.query({ name: 'files_end_lease', text }, [site_id, id, until]);
  }

  async hasState({ site_id, id }: FileRow, state: File['state']): Promise<boolean> {
    const text = 'select 1 from files where site_id = $1 and id = $2 and state = $3';
    return (await this.sql.query({ name: 'files_has_state', text }, [site_id, id, state])).length > 0;
  }
}
