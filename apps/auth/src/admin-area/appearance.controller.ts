import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Notices } from '#src/notices/notices.js';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { OAuthErrorFilter } from '#src/edge/oauth-error.filter.js';
import type { Upload } from '#src/edge/upload.js';
import { FORM_BASE } from '#src/pages/form-base.js';
import type { Shown } from '#src/pages/page.js';
import { LOOK, LOOK_PREVIEW } from './admin.page.js';
import { AdminGuard } from './admin.guard.js';
import { LOOK_FORM_BYTES, pictureControls, sentPictures } from './look-pictures.policy.js';
import type { ChosenPictures } from './look-pictures.policy.js';
import { lookPage } from './look.page.js';
import type { LookState } from './look.page.js';
import { LOOK_FIELDS, lookFields, lookOf } from './look.policy.js';
import type { LookFields, SettingFault } from './look.policy.js';
import { unavailablePage } from './setting-form.js';
import { SiteSettingsClient } from './site-settings.client.js';
import type { SentForm } from './site-settings.client.js';

interface SentLook extends SentForm<LookFields> {
  readonly chosen: ChosenPictures;
  readonly faults: readonly SettingFault[];
}

async function sent(form: Upload): Promise<SentLook> {
  const { removed, ...pictures } = await sentPictures(form);
  const values = LOOK_FIELDS.map((name) => [name, form.text(name) ?? ''] as const);
  const without = removed.map((picture) => [pictureControls(picture).url, ''] as const);
  return { ...pictures, base: form.text(FORM_BASE), given: lookFields(Object.fromEntries([...values, ...without])) };
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
    return this.guard.show(request, reply, (context) => this.#stored(context, {}));
  }

  /** Changes nothing: shows the form again, in the look of its fields. */
  @Post(LOOK_PREVIEW)
  preview(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async (context, { base, given, chosen, faults }) => {
      const look = lookOf(given, context.site.base_url);
      const found = 'faults' in look ? [...faults, ...look.faults] : faults;
      return lookPage(context, given, { base, chosen, faults: found, isPreview: found.length === 0 });
    });
  }

  @Post(LOOK)
  save(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#submit(request, reply, async (context, { base, given, chosen, faults }) => {
      if (faults.length > 0) return lookPage(context, given, { base, chosen, faults });
      const result = await this.settings.saveLook(context, { base, given, chosen });
      if (result === 'saved') {
        this.notices.leave(reply, context, 'settings_saved');
        return LOOK;
      }
      if (result === 'unavailable') return lookPage(context, given, { base, chosen, isUnavailable: true });
      if (result !== 'stale') return lookPage(context, given, { base, chosen, ...result });
      return this.#stored(context, { isStale: true });
    });
  }

  #submit(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (context: AccountContext, form: SentLook) => Promise<Shown>,
  ): Promise<void> {
    return this.guard.submitFiles(request, reply, LOOK_FORM_BYTES, async (context, form) =>
      form === undefined ? this.#stored(context, { isTooLong: true }) : work(context, await sent(form)),
    );
  }

  async #stored(context: AccountContext, state: LookState): Promise<Page> {
    const stored = await this.settings.read(context);
    return stored === undefined
      ? unavailablePage(context, say('look.title'))
      : lookPage(context, stored.look.fields, state);
  }
}
