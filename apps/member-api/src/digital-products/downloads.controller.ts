import { Controller, Get, Header, Query, Redirect, Req } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import type { FastifyRequest } from 'fastify';
import { DownloadsService } from './downloads.service.js';

/** Serves `downloadUrl`. The token is in the query string, because paths are logged. */
@Controller('member/downloads')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  /** HEAD is safe (RFC 9110 §9.2.1), so it is checked but not counted. */
  @Get()
  @Open()
  @Redirect()
  @Header('cache-control', 'no-store')
  @Header('referrer-policy', 'no-referrer')
  async follow(
    @Query('token') token: unknown,
    @CurrentSite() site: Site,
    @Req() { method }: FastifyRequest,
  ): Promise<{ url: string; statusCode: 302 }> {
    const given = typeof token === 'string' ? token : '';
    return { url: await this.downloads.locate(site, given, method !== 'HEAD'), statusCode: 302 };
  }
}
