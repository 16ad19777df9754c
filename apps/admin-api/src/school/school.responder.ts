import { switchMcpConnections } from '@lyceum/contracts';
import { Outbox, Requests } from '@lyceum/messaging';
import { actAs } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SchoolService } from './school.service.js';

/** Switches features for the admin area, whose pages auth serves. */
@Injectable()
export class SchoolResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly school: SchoolService,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.requests.handle(switchMcpConnections, async ({ member_id, roles, enabled }, { site_id }) => {
      actAs({ site_id, member_id, client_id: null, via: 'page' });
      const patch = { features: { mcp_connections: enabled } };
      const { row } = await this.outbox.transaction((tx) =>
        this.school.patch({ site_id, member_id, roles }, { patch }, tx),
      );
      return { enabled: row.features.mcp_connections };
    });
  }
}
