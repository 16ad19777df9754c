import { Controller, Get, Header, Query, Redirect, Req } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import type { FastifyRequest } from 'fastify';
import { DownloadsService } from './downloads.service.js';

/** Where `downloadUrl` leads. The link stands in the query, because paths are written into logs. */
@Controller('member/downloads')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  /** A HEAD is no download (RFC 9110 §9.2.1: it is safe), so it is checked and not counted. */
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
