import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { CurrentSite, Open } from '@lyceum/resource-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConnectPages } from './connect-pages.service.js';

@Controller('connect')
export class ConnectController {
  constructor(private readonly pages: ConnectPages) {}

  @Get()
  @Open()
  show(@CurrentSite() site: Site, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.pages.send(site, request, reply);
  }
}
