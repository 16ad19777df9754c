import { linkFile } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';

/** A browser waits for the redirect. */
const LINK_MS = 5_000;

/** Links to files of schools. Their store belongs to admin-api, which signs each link at the moment of a download. */
@Injectable()
export class SchoolFiles {
  constructor(private readonly requests: Requests) {}

  /**
   * Returns a fresh link. The caller has checked that the member may read the file.
   *
   * @throws ApiError `not_found` when the school has removed the file and its event is still on the way,
   *   `temporarily_unavailable` while the school does not respond.
   */
  async locate(site_id: string, file_id: string): Promise<string> {
    try {
      return (await this.requests.request(linkFile, { file_id }, { site_id, timeoutMs: LINK_MS })).url;
    } catch (error) {
      throw error instanceof ApiError && error.code === 'not_found' ? linkIsGone() : error;
    }
  }
}

export function linkIsGone(): ApiError {
  return new ApiError('not_found', 'This link is no longer valid', { hint: 'Ask for a new downloadUrl.' });
}
