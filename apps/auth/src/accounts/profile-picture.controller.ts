import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { readUpload } from '#src/edge/upload.js';
import { imageFaultWords } from '#src/images/image-words.js';
import { go, sendPage } from '#src/pages/page.js';
import { PICTURE_LIMITS } from '#src/profile-pictures/profile-picture.policy.js';
import type { PictureFault } from '#src/profile-pictures/profile-picture.policy.js';
import { ProfilePictures } from '#src/profile-pictures/profile-pictures.service.js';
import { PICTURE_REMOVAL, PICTURE_UPLOAD, PROFILE } from '#src/protocol/paths.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { staleFormPage } from './account.page.js';
import { Notices } from './notices.js';
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
  async upload(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // A stranger sends no large body.
    const visitor = await this.guard.authenticate(request, reply);
    if (visitor === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const form = await readUpload(request, PICTURE_LIMITS.bytes);
    if (form === undefined) return this.#refuse(reply, visitor, 'bytes');
    const context = await this.guard.authenticateForm(request, reply, form.text('csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const { site, person } = context;
    const fault = await this.pictures.replace(site, person.person_id, await form.file('file'));
    if (fault !== undefined) return this.#refuse(reply, context, fault);
    this.notices.leave(reply, context, 'picture_changed');
    go(reply, PROFILE);
  }

  /** A repetition finds no picture, and says the same. */
  @Post(PICTURE_REMOVAL)
  async remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    await this.pictures.remove(context.site, context.person.person_id);
    this.notices.leave(reply, context, 'picture_removed');
    go(reply, PROFILE);
  }

  async #refuse(reply: FastifyReply, context: AccountContext, fault: PictureFault): Promise<void> {
    const { site, person } = context;
    const uploaded = await this.pictures.pathOf({ site_id: site.site_id, person_id: person.person_id });
    const error = { field: 'file', message: wordsOf(fault) };
    sendPage(reply, profilePage({ ...context, uploaded }, fieldsOf(person), error));
  }
}
