import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { SchoolFiles, linkIsGone } from '#src/download-links/school-files.js';
import { AttachmentsRepository } from './attachments.repository.js';

@Injectable()
export class AttachmentsService {
  constructor(
    private readonly links: DownloadLinks,
    private readonly attachments: AttachmentsRepository,
    private readonly files: SchoolFiles,
  ) {}

  /**
   * Returns the location of the file of a link.
   *
   * @throws ApiError `not_found` for a link that is invalid or expired, or that the member may not follow any more.
   */
  async locate({ site_id }: Pick<Site, 'site_id'>, token: string): Promise<string> {
    const download = this.links.read(site_id, token);
    if (download === undefined || !(await this.attachments.mayOpen(site_id, download))) throw linkIsGone();
    return this.files.locate(site_id, download.file_id);
  }
}
