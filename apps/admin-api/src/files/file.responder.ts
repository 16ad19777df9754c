import { linkFile } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { FileLinks } from './file.links.js';

/** Makes links to files for the member API, which checks who may read them. */
@Injectable()
export class FileResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly links: FileLinks,
  ) {}

  onModuleInit(): void {
    this.requests.handle(linkFile, async ({ file_id }, { site_id }) => {
      const { url, expires_at } = await this.links.fresh({ site_id }, file_id);
      return { url, expires_at: iso(expires_at) };
    });
  }
}
