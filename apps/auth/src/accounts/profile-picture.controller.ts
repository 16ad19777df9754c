import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { readUpload } from '#src/edge/upload.js';
import type { Upload } from '#src/edge/upload.js';
import { imageFaultWords } from '#src/images/image-words.js';
import { PICTURE_LIMITS } from '#src/profile-pictures/profile-picture.policy.js';
import type { PictureFault } from '#src/profile-pictures/profile-picture.policy.js';
import { ProfilePictures } from '#src/profile-pictures/profile-pictures.service.js';
import { PICTURE_REMOVAL, PICTURE_UPLOAD, PROFILE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { fieldsOf, profilePage } from './profile.page.js';

const wordsOf = (fault: PictureFault): string =>
  fault === 'none' ? say('profile.choose_picture') : imageFaultWords(fault, PICTURE_LIMITS);

/** Uploads and removes the picture of a person at this site. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ProfilePictureFormController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly pictures: ProfilePictures,
    private readonly notices: Notices,
  ) {}

  @Post(PICTURE_UPLOAD)
  upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const read = (): Promise<Upload | undefined> => readUpload(request, PICTURE_LIMITS.bytes);
    return this.guard.submitFiles(request, reply, read, async (context, form) => {
      if (form === undefined) return this.#refuse(context, 'bytes');
      const { site, person } = context;
      const fault = await this.pictures.replace(site, person.person_id, await form.file('file'));
      if (fault !== undefined) return this.#refuse(context, fault);
      this.notices.leave(reply, context, 'picture_changed');
      return PROFILE;
    });
  }

  /** A repetition finds no picture, and says the same. */
  @Post(PICTURE_REMOVAL)
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context) => {
      await this.pictures.remove(context.site, context.person.person_id);
      this.notices.leave(reply, context, 'picture_removed');
      return PROFILE;
    });
  }

  async #refuse(context: AccountContext, fault: PictureFault): Promise<Page> {
    const { site, person } = context;
    const uploaded = await this.pictures.pathOf({ site_id: site.site_id, person_id: person.person_id });
    const error = { field: 'file', message: wordsOf(fault) };
    return profilePage({ ...context, uploaded }, fieldsOf(person), error);
  }
}
