import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { StoredImage } from '#src/images/image.policy.js';
import { MembersService } from '#src/members/members.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { PICTURES } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import { acceptPicture } from './profile-picture.policy.js';
import type { PictureFault } from './profile-picture.policy.js';
import { ProfilePicturesRepository } from './profile-pictures.repository.js';
import type { PictureOwner } from './profile-pictures.repository.js';

/** Pictures that people upload. The profile has the address, as if the person had given one (ADR 129). */
@Injectable()
export class ProfilePictures {
  constructor(
    private readonly pictures: ProfilePicturesRepository,
    private readonly members: MembersService,
    private readonly people: PeopleService,
    private readonly outbox: Outbox,
  ) {}

  async read(siteId: string, id: string): Promise<StoredImage | undefined> {
    return isUuid(id) ? this.pictures.read(siteId, id) : undefined;
  }

  /** The path of the picture of a person; undefined without an uploaded one. */
  async pathOf(owner: PictureOwner): Promise<string | undefined> {
    const id = await this.pictures.find(owner);
    return id && `${PICTURES}/${id}`;
  }

  /** Replaces the picture. Its address is new, and the former one ends. Returns the fault of a refused file. */
  async replace({ site_id, base_url }: SiteRecord, personId: string, bytes: Buffer): Promise<PictureFault | undefined> {
    const accepted = acceptPicture(bytes);
    if ('fault' in accepted) return accepted.fault;
    const id = randomUUID();
    const url = `${base_url}${PICTURES}/${id}`;
    await this.outbox.transaction(async (manager) => {
      const person = await this.people.hold(manager, personId);
      if (person === undefined) return;
      // Deletes the former picture.
      await this.members.setProfile(manager, site_id, person, { picture: url });
      await this.pictures.add(manager, { site_id, person_id: personId }, { id, url }, accepted);
    });
    return undefined;
  }

  remove({ site_id }: SiteRecord, personId: string): Promise<void> {
    return this.members.changeProfile(site_id, personId, { picture: null });
  }
}
