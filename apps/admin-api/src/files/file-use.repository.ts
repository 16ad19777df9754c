import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { FileUser, RefusedUse } from './file-use.policy.js';
import { PUBLIC_PURPOSES } from './file-use.policy.js';

/** Columns of `file_uses`, one for each kind of object. */
export type UserColumn =
  | 'lecture_id'
  | 'appearance_revision_id'
  | 'course_id'
  | 'lecturer_id'
  | 'digital_product_id'
  | 'post_id'
  | 'member_id';

/** The facts of a file that objects show. */
export interface FileFacts {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: number;
}

/** Whose files a caller may use beside those that the objects have already. */
interface Scope {
  readonly site_id: string;
  /** Null: files of all uploaders. */
  readonly uploader_id: string | null;
  /** Also files of others, once something uses them. */
  readonly reuses: boolean;
}

@Injectable()
export class FileUseRepository {
  facts(tx: EntityManager, site_id: string, ids: readonly string[]): Promise<FileFacts[]> {
    const text = 'select id, filename, content_type, bytes from files where site_id = $1 and id = any($2::uuid[])';
    return tx.query<FileFacts[]>(text, [site_id, ids]);
  }

  /**
   * Makes objects use exactly the named files, and returns those that they cannot use: then the transaction must end.
   * The caller has locked the objects. The files whose uses change are locked in the order of their ids, and read after
   * that, so a deletion comes before or after the use.
   */
  replace(
    tx: EntityManager,
    { site_id, uploader_id, reuses }: Scope,
    column: UserColumn,
    users: readonly FileUser[],
  ): Promise<RefusedUse[]> {
    const wanted = users.flatMap(({ id: user_id, files }) => files.map((file) => ({ user_id, ...file })));
    return tx.query<RefusedUse[]>(
      `with wanted as (
         select * from jsonb_to_recordset($2::jsonb)
           as w (user_id uuid, file_id uuid, pointer text, purpose text, types text[])
       ), known as (
         select ${column} as user_id, file_id from file_uses where site_id = $1 and ${column} = any($3::uuid[])
       ), started as (
         select user_id, file_id from wanted except select user_id, file_id from known
       ), over as (
         select user_id, file_id from known except select user_id, file_id from wanted
       ), locked as (
         select id, state, uploader_id, purpose, uses from files
         where site_id = $1 and id in (select file_id from started union select file_id from over)
         order by id for no key update
       ), ended as (
         delete from file_uses u using over o join locked l on l.id = o.file_id
         where u.site_id = $1 and u.${column} = o.user_id and u.file_id = o.file_id
       ), usable as (
         select id from locked
         where state = 'ready' and ($4::uuid is null or uploader_id = $4 or uses > 0 and ($5 or purpose = any ($6)))
       ), begun as (
         insert into file_uses (site_id, ${column}, file_id)
         select $1, s.user_id, s.file_id from started s join usable u on u.id = s.file_id
       )
       select w.pointer, w.purpose, w.types, f.purpose as found_purpose, f.content_type, coalesce(l.state, f.state) as state,
         f.id is not null and (s.file_id is null or $4::uuid is null or f.uploader_id = $4
           or f.uses > 0 and ($5 or f.purpose = any ($6))) as known
       from wanted w
       left join files f on f.site_id = $1 and f.id = w.file_id
       left join locked l on l.id = w.file_id
       left join started s on s.user_id = w.user_id and s.file_id = w.file_id
       where f.id is null or f.purpose <> w.purpose or f.content_type <> all (w.types)
         or s.file_id is not null and not exists (select 1 from usable u where u.id = w.file_id)`,
      [site_id, JSON.stringify(wanted), users.map(({ id }) => id), uploader_id, reuses, PUBLIC_PURPOSES],
    );
  }
}
