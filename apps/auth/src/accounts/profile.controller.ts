import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm, single } from '#src/edge/body.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { MembersService } from '#src/members/members.service.js';
import { profileForm } from '#src/members/profile.policy.js';
import { go, sendPage } from '#src/pages/page.js';
import { ACCOUNT, PROFILE } from '#src/protocol/paths.js';
import { staleFormPage } from './account.page.js';
import { profilePage } from './profile.page.js';
import { AccountSessionGuard } from './account-session.guard.js';

/** The profile of a person at this site. Every other site has its own. */
@Controller(PROFILE)
@UseFilters(OAuthErrorFilter)
export class ProfileController {
  constructor(
    private readonly guard: AccountSessionGuard,
    private readonly members: MembersService,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = await this.guard.authenticate(request, reply);
    if (context === undefined) return go(reply, `${ACCOUNT}/sign-in`);
    const { name, picture, locale, phone } = context.person;
    const fields = { name, picture: picture ?? '', locale: locale ?? '', phone: phone ?? '' };
    sendPage(reply, profilePage(context, fields));
  }

  @Post()
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await readForm(request);
    const context = await this.guard.authenticateForm(request, reply, single(form, 'csrf'));
    if (context === undefined) return sendPage(reply, staleFormPage(siteOf(request)));
    const typed = (name: string): string => single(form, name) ?? '';
    const fields = {
      name: typed('name'),
      picture: typed('picture'),
      locale: typed('locale'),
      phone: typed('phone'),
    };
    const parsed = profileForm.safeParse(fields);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const error = { field: String(issue?.path[0]), message: issue?.message ?? '' };
      return sendPage(reply, profilePage(context, fields, error));
    }
    await this.members.changeProfile(context.site.site_id, context.person.person_id, parsed.data);
    go(reply, ACCOUNT);
  }
}
