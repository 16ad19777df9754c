import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { Notices } from '#src/notices/notices.js';
import { single } from '#src/edge/body.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import { FORM_BASE, formChanges, isStaleForm } from '#src/pages/form-base.js';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteSettings } from '#src/sites/site.js';
import { AdminGuard } from './admin.guard.js';
import { SETTINGS } from './admin.page.js';
import { SITE_SWITCHES, settingsPage } from './settings.page.js';
import type { SiteSwitch } from './settings.page.js';

type Switches = Record<SiteSwitch, boolean>;

/** The settings of a site that auth keeps. Those of the school are settings of admin-api. */
@Controller(SETTINGS)
@UseFilters(OAuthErrorFilter)
export class SettingsController {
  constructor(
    private readonly guard: AdminGuard,
    private readonly sites: SitesService,
    private readonly notices: Notices,
  ) {}

  @Get()
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.show(request, reply, async (context) => settingsPage(context, await this.#stored(context)));
  }

  /** A switch is off without its value. Changes only the switches that differ from those that the form showed. */
  @Post()
  save(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.guard.submit(request, reply, async (context, form) => {
      const on = form.getAll('on');
      const given = Object.fromEntries(SITE_SWITCHES.map((name) => [name, on.includes(name)])) as Switches;
      const change = (stored: SiteSettings): Partial<Switches> => formChanges(single(form, FORM_BASE), given, stored);
      try {
        await this.sites.changeSettings(context.site.site_id, change, context.person.person_id);
      } catch (error) {
        if (!isStaleForm(error)) throw error;
        return settingsPage(context, await this.#stored(context), { isStale: true });
      }
      this.notices.leave(reply, context, 'settings_saved');
      return SETTINGS;
    });
  }

  async #stored({ site }: AccountContext): Promise<SiteSettings> {
    const stored = await this.sites.byId(site.site_id);
    if (stored === undefined) throw new ApiError('not_found', 'The site does not exist');
    return stored.settings;
  }
}
