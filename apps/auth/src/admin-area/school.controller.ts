import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Notices } from '#src/notices/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import { SCHOOL } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';
import { schoolPage } from './school.page.js';
import { unavailablePage } from './setting-form.js';
import { SiteSettingsClient } from './site-settings.client.js';

/** Name, language and time zone of the site. */
@Controller(SCHOOL)
@UseFilters(OAuthErrorFilter)
export class SchoolController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly settings: SiteSettingsClient,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const stored = await this.settings.read(context);
      return stored === undefined
        ? unavailablePage(context, say('school.title'))
        : schoolPage(context, stored.school.fields);
    });
  }

  @Post()
  save(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const typed = (name: string): string => (single(form, name) ?? '').trim();
      const given = { name: typed('name'), locale: typed('locale'), timezone: typed('timezone') };
      const base = single(form, FORM_BASE);
      const result = await this.settings.saveSchool(context, { base, given });
      if (result === 'saved') {
        this.notices.leave(reply, context, 'settings_saved');
        return SCHOOL;
      }
      if (result === 'unavailable') return schoolPage(context, given, { base, isUnavailable: true });
      if (result !== 'stale') return schoolPage(context, given, { base, ...result });
      const stored = await this.settings.read(context);
      if (stored === undefined) return unavailablePage(context, say('school.title'));
      return schoolPage(context, stored.school.fields, { isStale: true });
    });
  }
}
