import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { requestedBy } from '@lyceum/messages';
import { runForReader } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Catalog } from '#src/catalog/catalog.service.js';
import { connectPage } from './connect.page.js';

/** The page for people, with the tools of the running services. */
@Injectable()
export class ConnectPages {
  constructor(private readonly catalog: Catalog) {}

  /** In the language of the address, of the site, or of the browser (ADR 118). */
  send(site: Site, { url, headers }: FastifyRequest, reply: FastifyReply): void {
    const reader = { requested: requestedBy(url), site: site.locale ?? null, accepted: headers['accept-language'] };
    runForReader(reader, () => {
      const { headers, body } = connectPage(site, [...this.catalog.tools()]);
      void reply.headers(headers).send(body);
    });
  }
}
