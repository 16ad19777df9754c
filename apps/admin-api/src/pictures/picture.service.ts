import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { publicPath } from '#src/files/file-use.policy.js';
import type { FileUse } from '#src/files/file-use.policy.js';
import { FileUses } from '#src/files/file-uses.js';
import { SchoolService } from '#src/school/school.service.js';
import { pictureAfter } from './picture.policy.js';

/** The members of the objects with a picture, by their column of `file_uses`. */
const MEMBERS = {
  course_id: { url: 'image_url', file_id: 'image_file_id' },
  lecturer_id: { url: 'avatar_url', file_id: 'avatar_file_id' },
  post_id: { url: 'cover_url', file_id: 'cover_file_id' },
  digital_product_id: { url: 'image_url', file_id: 'image_file_id' },
  member_id: { url: 'avatar_url', file_id: 'avatar_file_id' },
} as const;
type PictureColumn = keyof typeof MEMBERS;

/** SQL of the file of the picture of a row. */
export const pictureFile = (column: PictureColumn, table: string): string => `
  (select u.file_id from file_uses u where u.site_id = ${table}.site_id and u.${column} = ${table}.id)`;

/** The same for a row that uses other files, too. */
export const pictureAmongFiles = (column: PictureColumn, table: string): string => `
  (select u.file_id from file_uses u join files f on f.site_id = u.site_id and f.id = u.file_id
   where u.site_id = ${table}.site_id and u.${column} = ${table}.id and f.purpose = 'image')`;

/** The use of the file of a picture, if it has one. */
export function pictureUses(column: PictureColumn, file_id: string | null): readonly FileUse[] {
  return file_id === null ? [] : [{ file_id, pointer: `/${MEMBERS[column].file_id}`, purpose: 'image' }];
}

/** Uploaded images as pictures of objects. */
@Injectable()
export class PictureService {
  constructor(
    private readonly uses: FileUses,
    private readonly schools: SchoolService,
  ) {}

  /**
   * Completes the values of a new object, or a patch of `current`: the address and the file of the picture agree then.
   *
   * @throws `validation_failed` for a file and another address
   */
  settled<P extends object>(site: Caller, column: PictureColumn, patch: P, current: object = {}): P {
    const members = MEMBERS[column];
    const [given, known] = [valuesOf(patch, members), valuesOf(current, members)];
    if (given.url === undefined && given.file_id === undefined) return patch;
    const urlOf = (id: string): string => `${this.schools.site(site).base_url}${publicPath(id)}`;
    const { url, file_id } = pictureAfter(
      { url: known.url ?? null, file_id: known.file_id ?? null },
      given,
      urlOf,
      members,
    );
    return { ...patch, [members.url]: url, [members.file_id]: file_id };
  }

  /**
   * Makes a locked object use the file of its picture.
   *
   * @throws `validation_failed` for a file of another site or purpose, or one that is not ready
   */
  async use(
    tx: EntityManager,
    caller: Caller,
    column: PictureColumn,
    id: string,
    file_id: string | null,
  ): Promise<void> {
    await this.useAll(tx, caller, column, [{ id, file_id }]);
  }

  /** The same for many objects. Those without a `file_id` keep their picture. */
  async useAll(
    tx: EntityManager,
    caller: Caller,
    column: PictureColumn,
    list: readonly { readonly id: string; readonly file_id: string | null | undefined }[],
  ): Promise<void> {
    const users = list.flatMap(({ id, file_id }) =>
      file_id === undefined ? [] : [{ id, files: pictureUses(column, file_id) }],
    );
    if (users.length > 0) await this.uses.replace(tx, caller, column, users);
  }
}

function valuesOf(object: object, { url, file_id }: (typeof MEMBERS)[PictureColumn]) {
  type Value = string | null | undefined;
  return { url: Reflect.get(object, url) as Value, file_id: Reflect.get(object, file_id) as Value };
}
