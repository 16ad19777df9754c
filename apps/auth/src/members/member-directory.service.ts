import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { MemberDirectoryRepository } from './member-directory.repository.js';
import type { ListedMember, MemberFilter } from './listed-member.js';

const PAGE = 50;

/** The members of a site, for its owners and admins. Removed ones are not listed. */
@Injectable()
export class MemberDirectory {
  constructor(private readonly repository: MemberDirectoryRepository) {}

  async page(
    siteId: string,
    filter: MemberFilter,
    after: string | null,
  ): Promise<{ readonly members: readonly ListedMember[]; readonly more: boolean }> {
    const found = await this.repository.list(siteId, filter, after, PAGE + 1);
    return { members: found.slice(0, PAGE), more: found.length > PAGE };
  }

  /** @throws `not_found` for a removed member, and for one of another site */
  async find(siteId: string, memberId: string): Promise<ListedMember> {
    const member = await this.repository.one(siteId, memberId);
    if (member === undefined) throw new ApiError('not_found', 'This site has no such member');
    return member;
  }
}
