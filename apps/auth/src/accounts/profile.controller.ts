import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { MembersService } from '#src/members/members.service.js';
import { profileForm } from '#src/members/profile.policy.js';
import { ProfilePictures } from '#src/profile-pictures/profile-pictures.service.js';
import { ACCOUNT, PROFILE } from '#src/protocol/paths.js';
import { fieldsOf, profilePage } from './profile.page.js';
import { AccountSessionGuard } from './account-session.guard.js';
import type { AccountContext } from './account-session.guard.js';
import { Notices } from '#src/notices/notices.js';

/** The profile of a person at this site. Every other site has its own. */
@Controller(PROFILE)
@UseFilters(OAuthErrorFilter)
export class ProfileController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly members: MembersService,
    private readonly pictures: ProfilePictures,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) =>
      profilePage({ ...context, uploaded: await this.#uploaded(context) }, fieldsOf(context.person)),
    );
  }

  @Post()
  change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const typed = (name: string): string => single(form, name) ?? '';
      const fields = {
        name: typed('name'),
        picture: typed('picture'),
        locale: typed('locale'),
        phone: typed('phone'),
        timezone: typed('timezone'),
      };
      const uploaded = await this.#uploaded(context);
      const parsed = profileForm.safeParse(fields);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const error = { field: String(issue?.path[0]), message: issue?.message ?? '' };
        return profilePage({ ...context, uploaded }, fields, error);
      }
      const { picture, ...profile } = parsed.data;
      // The page of an uploaded picture has no field for an address. A form from before the upload has an empty one.
      const keeps = uploaded === undefined ? !form.has('picture') : picture === null;
      const change = keeps ? profile : { ...profile, picture };
      await this.members.changeProfile(context.site.site_id, context.person.person_id, change);
      this.notices.leave(reply, context, 'profile_changed');
      return ACCOUNT;
    });
  }

  #uploaded({ site, person }: AccountContext): Promise<string | undefined> {
    return this.pictures.pathOf({ site_id: site.site_id, person_id: person.person_id });
  }
}
