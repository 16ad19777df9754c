import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { StoredImage } from '#src/images/image.policy.js';

/** The owner of a picture. */
export interface PictureOwner {
  readonly site_id: string;
  readonly person_id: string;
}

interface PictureAddress {
  readonly id: string;
  readonly url: string;
}

const READ = {
  name: 'profile_picture_read',
  text: 'select type, bytes from profile_pictures where site_id = $1 and picture_id = $2',
};
const FIND = {
  name: 'profile_picture_find',
  text: 'select picture_id from profile_pictures where site_id = $1 and person_id = $2',
};

/** The uploaded pictures of people, at most one at each site. */
@Injectable()
export class ProfilePicturesRepository {
  constructor(private readonly sql: Sql) {}

  async read(siteId: string, pictureId: string): Promise<StoredImage | undefined> {
    return (await this.sql.query<StoredImage>(READ, [siteId, pictureId]))[0];
  }

  /** The id of the picture of a person; undefined without an uploaded one. */
  async find({ site_id, person_id }: PictureOwner): Promise<string | undefined> {
    return (await this.sql.query<{ picture_id: string }>(FIND, [site_id, person_id]))[0]?.picture_id;
  }

  /** Adds the picture of a profile that names `url` as its picture, and has no uploaded one. */
  async add(
    manager: EntityManager,
    owner: PictureOwner,
    { id, url }: PictureAddress,
    image: StoredImage,
  ): Promise<void> {
    await manager.query(
      `insert into profile_pictures (site_id, person_id, picture_id, type, bytes)
       select site_id, person_id, $3, $5, $6 from site_members where site_id = $1 and person_id = $2 and picture = $4`,
      [owner.site_id, owner.person_id, id, url, image.type, image.bytes],
    );
  }
}
