import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { calendarOf } from './calendar.policy.js';
import { EventRegistrationsRepository } from './event-registrations.repository.js';

interface CalendarFile {
  readonly slug: string;
  readonly text: string;
}

@Injectable()
export class CalendarsService {
  constructor(
    private readonly links: DownloadLinks,
    private readonly registrations: EventRegistrationsRepository,
  ) {}

  /**
   * Returns the calendar file of a link.
   *
   * @throws ApiError `not_found` for a link that is invalid or expired, or whose member, registration or event is gone.
   */
  async read(site: Pick<Site, 'site_id' | 'base_url'>, token: string): Promise<CalendarFile> {
    const link = this.links.read(site.site_id, token);
    const entry = link && (await this.registrations.calendarEntry(site.site_id, link));
    if (entry === undefined) {
      throw new ApiError('not_found', 'This link is no longer valid', { hint: 'Ask for a new calendarUrl.' });
    }
    const { slug } = entry;
    return { slug, text: calendarOf({ ...entry, host: new URL(site.base_url).host }, new Date()) };
  }
}
