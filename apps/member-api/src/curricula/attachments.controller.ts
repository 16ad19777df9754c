import { Controller, Get, Header, Query, Redirect } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import { AttachmentsService } from './attachments.service.js';

/** Serves `downloadUrl` of attachments. The token is in the query string, because paths are logged. */
@Controller('member/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get()
  @Open()
  @Redirect()
  @Header('cache-control', 'no-store')
  @Header('referrer-policy', 'no-referrer')
  async follow(@Query('token') token: unknown, @CurrentSite() site: Site): Promise<{ url: string; statusCode: 302 }> {
    const url = await this.attachments.locate(site, typeof token === 'string' ? token : '');
    return { url, statusCode: 302 };
  }
}
