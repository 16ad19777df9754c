import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { DigitalProductsRepository } from './digital-products.repository.js';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { SchoolFiles, linkIsGone } from '#src/download-links/school-files.js';

@Injectable()
export class DownloadsService {
  constructor(
    private readonly links: DownloadLinks,
    private readonly products: DigitalProductsRepository,
    private readonly files: SchoolFiles,
  ) {}

  /**
   * Returns a fresh link to the file of a download link. `counts` is false for a request without a response body. A
   * download counts once the school has made its link, so one that cannot begin is not lost.
   *
   * @throws ApiError `not_found` for a link that is invalid or expired, or whose member, grant or file is gone.
   *   `forbidden` when the limit is reached. `temporarily_unavailable` while the school does not respond.
   */
  async locate({ site_id }: Pick<Site, 'site_id'>, token: string, counts: boolean): Promise<string> {
    const download = this.links.read(site_id, token);
    if (download === undefined) throw linkIsGone();
    requireAllowed(await this.products.takeFile(site_id, download, false));
    const url = await this.files.locate(site_id, download.file_id);
    if (counts) requireAllowed(await this.products.takeFile(site_id, download, true));
    return url;
  }
}

function requireAllowed(file: { readonly allowed: boolean } | undefined): void {
  if (file === undefined) throw linkIsGone();
  if (!file.allowed) throw new ApiError('forbidden', 'The download limit of this product is reached');
}
