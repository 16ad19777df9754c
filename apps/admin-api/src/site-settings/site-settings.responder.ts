import { changeAppearance, changeSchool, getSiteSettings, storePicture } from '@lyceum/contracts';
import { Outbox, Requests } from '@lyceum/messaging';
import { actAs } from '@lyceum/platform';
import { refuseBody, rowTag } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { z } from 'zod';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { pictureUrl } from '#src/appearance/appearance.policy.js';
import { appearance } from '#src/appearance/appearance.schema.js';
import { AppearanceService, PAGES } from '#src/appearance/appearance.service.js';
import { school } from '#src/school/school.schema.js';
import { SchoolService } from '#src/school/school.service.js';
import { ReceivedPictures } from './received-pictures.js';

/** Reads and changes settings for the admin area, whose pages auth serves. */
@Injectable()
export class SiteSettingsResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly schools: SchoolService,
    private readonly appearances: AppearanceService,
    private readonly pictures: ReceivedPictures,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.requests.handle(getSiteSettings, async ({ roles }, { site_id }) => {
      requireAdministrator({ roles }, 'see its settings');
      const [{ version, name, locale, timezone }, shown] = await Promise.all([
        this.schools.get({ site_id }),
        this.appearances.get({ site_id }),
      ]);
      return { school: { version, name, locale, timezone }, appearance: appearanceOf(shown) };
    });
    this.requests.handle(changeSchool, async ({ member_id, roles, version, patch }, { site_id }) => {
      actAs({ site_id, member_id, client_id: null, via: 'page' });
      const change = { patch: parsed(school.patch, patch), ifMatch: rowTag(version) };
      const { row } = await this.outbox.transaction((tx) =>
        this.schools.patch({ site_id, member_id, roles }, change, tx),
      );
      return { version: row.version };
    });
    this.requests.handle(changeAppearance, async ({ version, patch, ...member }, { site_id }) => {
      requireAdministrator(member, 'change its appearance');
      actAs({ site_id, member_id: member.member_id, client_id: null, via: 'page' });
      const change = { patch: parsed(appearance.patch, patch), ifMatch: rowTag(version) };
      const { row } = await this.outbox.transaction((tx) =>
        this.appearances.patch({ ...member, site_id, client_id: PAGES }, change, tx),
      );
      return { version: row.version };
    });
    this.requests.handle(storePicture, async ({ content, filename, content_type, ...member }, { site_id }) => {
      requireAdministrator(member, 'change its appearance');
      actAs({ site_id, member_id: member.member_id, client_id: null, via: 'page' });
      const picture = { filename, content_type, content: Buffer.from(content, 'base64') };
      return this.pictures.store({ ...member, site_id }, picture);
    });
  }
}

function appearanceOf(row: Awaited<ReturnType<AppearanceService['get']>>) {
  const { version, settings, base_url } = row;
  const [logo_url, favicon_url] = [pictureUrl(settings, 'logo', base_url), pictureUrl(settings, 'favicon', base_url)];
  return { version, theme: settings.theme, logo_url, favicon_url };
}

/** @throws `validation_failed` */
function parsed<Schema extends z.ZodType>(schema: Schema, patch: unknown): z.output<Schema> {
  const result = schema.safeParse(patch, { reportInput: true });
  if (result.success) return result.data;
  throw refuseBody(result.error);
}
