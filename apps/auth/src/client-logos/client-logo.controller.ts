import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '#src/edge/edge.hook.js';
import { sendImage } from '#src/images/image-response.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ClientLogos } from './client-logos.service.js';

const CACHE_SECONDS = 3_600;

/** Serves the logos from the origin of the site, so that a page of it contacts no other host. */
@Controller(ENDPOINTS.logos)
export class ClientLogoController {
  constructor(private readonly logos: ClientLogos) {}

  @Get(':key')
  async logo(@Param('key') key: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const logo = await this.logos.read(siteOf(request).site_id, key);
    if (logo === undefined) throw new ApiError('not_found', 'No approved client with a logo has this key');
    sendImage(reply, logo, { cache: `private, max-age=${CACHE_SECONDS}`, readers: 'same-origin' });
  }
}
