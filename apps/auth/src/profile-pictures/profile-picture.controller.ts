import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOf } from '#src/edge/edge.hook.js';
import { sendImage } from '#src/images/image-response.js';
import { PICTURES } from '#src/protocol/paths.js';
import { ProfilePictures } from './profile-pictures.service.js';

/** The picture at an address never changes. A removed one leaves the caches of browsers within a day. */
const CACHE = 'private, max-age=86400, immutable';

/** Serves the pictures of people from the origin of the site. Applications of other origins may show them. */
@Controller(PICTURES)
export class ProfilePictureController {
  constructor(private readonly pictures: ProfilePictures) {}

  @Get(':id')
  async picture(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const picture = await this.pictures.read(siteOf(request).site_id, id);
    if (picture === undefined) throw new ApiError('not_found', 'No person has this picture');
    sendImage(reply, picture, { cache: CACHE, readers: 'cross-origin' });
  }
}
