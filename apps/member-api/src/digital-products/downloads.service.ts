import { Injectable } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { DigitalProductsRepository } from './digital-products.repository.js';
import { DownloadLinks } from '#src/download-links/download-links.js';

@Injectable()
export class DownloadsService {
  constructor(
    private readonly links: DownloadLinks,
    private readonly products: DigitalProductsRepository,
  ) {}

  /**
   * Returns the location of the file of a link. `counts` is false for a request without a response body.
   *
   * @throws ApiError `not_found` for a link that is invalid or expired, or whose member or grant is gone.
   *   `forbidden` when the limit is reached.
   */
  async locate(site: Pick<Site, 'site_id'>, token: string, counts: boolean): Promise<string> {
    const download = this.links.read(site.site_id, token);
    const file = download && (await this.products.takeFile(site.site_id, download, counts));
    if (file === undefined) {
      throw new ApiError('not_found', 'This link is no longer valid', { hint: 'Ask for a new downloadUrl.' });
    }
    if (!file.allowed) throw new ApiError('forbidden', 'The download limit of this product is reached');
    return new URL(file.storage_url).href;
  }
}
