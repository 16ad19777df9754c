import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { BROWSER_FILES, ENCODINGS, openBrowserFile } from '@lyceum/docs';
import { ApiError } from '@lyceum/errors';
import { acceptsCoding } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ASSETS } from '#src/protocol/paths.js';

const YEAR_SECONDS = 31_536_000;

/** Streams the files of the reference and the explorer as the build has compressed them. */
@Controller(ASSETS)
export class AssetsController {
  @Get(':name')
  file(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = BROWSER_FILES.get(name);
    if (file === undefined) throw new ApiError('not_found', 'This file does not exist. A new release has new names');
    void reply.headers({
      'content-type': file.type,
      'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    });
    const accepted = request.headers['accept-encoding']?.toString();
    const encoding = ENCODINGS.find((coding) => acceptsCoding(accepted, coding));
    if (encoding === undefined) {
      // Browsers accept a coding; a failure ends the connection.
      void reply.send(pipeline(openBrowserFile(file, 'gzip'), createGunzip(), () => undefined));
      return;
    }
    void reply.headers({ 'content-encoding': encoding, 'content-length': file.bytes[encoding] });
    void reply.send(openBrowserFile(file, encoding));
  }
}
