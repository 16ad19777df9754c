import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Notices } from '#src/accounts/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import { LOOK } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';
import { LOOK_PREVIEW, lookPage } from './look.page.js';
import { LOOK_FIELDS, lookFields, lookOf } from './look.policy.js';
import type { LookFields } from './look.policy.js';
import { unavailablePage } from './setting-form.js';
import { SiteSettingsClient } from './site-settings.client.js';
import type { SentForm } from './site-settings.client.js';

function sent(form: URLSearchParams): SentForm<LookFields> {
  const values = Object.fromEntries(LOOK_FIELDS.map((name) => [name, single(form, name) ?? '']));
  return { base: single(form, FORM_BASE), given: lookFields(values) };
}

/** The appearance of the site. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class AppearanceController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly settings: SiteSettingsClient,
    private readonly notices: Notices,
  ) {}

  @Get(LOOK)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => {
      const stored = await this.settings.read(context);
      return stored === undefined ? unavailablePage(context, say('look.title')) : lookPage(context, stored.look.fields);
    });
  }

  /** Changes nothing: shows the form again, in the look of its fields. */
  @Post(LOOK_PREVIEW)
  preview(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { base, given } = sent(form);
      const look = lookOf(given, context.site.base_url);
      return lookPage(context, given, 'faults' in look ? { base, ...look } : { base, isPreview: true });
    });
  }

  @Post(LOOK)
  save(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const { base, given } = sent(form);
      const result = await this.settings.saveLook(context, { base, given });
      if (result === 'saved') {
        this.notices.leave(reply, context, 'settings_saved');
        return LOOK;
      }
      if (result === 'unavailable') return lookPage(context, given, { base, isUnavailable: true });
      if (result !== 'stale') return lookPage(context, given, { base, ...result });
      const stored = await this.settings.read(context);
      if (stored === undefined) return unavailablePage(context, say('look.title'));
      return lookPage(context, stored.look.fields, { isStale: true });
    });
  }
}
