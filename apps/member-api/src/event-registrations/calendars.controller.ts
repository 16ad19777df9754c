import { Controller, Get, Header, Query, StreamableFile } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import { CalendarsService } from './calendars.service.js';

/** Serves `calendarUrl`. The token is in the query string, because paths are logged. */
@Controller('member/calendars')
export class CalendarsController {
  constructor(private readonly calendars: CalendarsService) {}

  @Get()
  @Open()
  @Header('cache-control', 'no-store')
  @Header('referrer-policy', 'no-referrer')
  @Header('x-content-type-options', 'nosniff')
  async read(@Query('token') token: unknown, @CurrentSite() site: Site): Promise<StreamableFile> {
    const { slug, text } = await this.calendars.read(site, typeof token === 'string' ? token : '');
    return new StreamableFile(Buffer.from(text), {
      type: 'text/calendar; charset=utf-8',
      disposition: `attachment; filename="${slug}.ics"`,
    });
  }
}
