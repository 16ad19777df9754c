import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { ListedMember, MemberFilter } from './listed-member.js';

const COLUMNS = `m.member_id, coalesce(m.name, p.name) as name, p.email, m.roles, m.state, m.joined_at`;
const LIST = {
  name: 'member_directory',
  text: `
    select ${COLUMNS}
      from site_members m join people p using (person_id)
     where m.site_id = $1 and m.state <> 'removed'
       and ($2::text is null or m.state = $2) and ($3::text is null or $3 = any(m.roles))
       and ($4 = '' or position($4 in lower(coalesce(m.name, p.name))) > 0 or position($4 in p.email) > 0)
       and ($5::uuid is null or (m.joined_at, m.member_id) <
             (select joined_at, member_id from site_members where site_id = $1 and member_id = $5))
     order by m.joined_at desc, m.member_id desc limit $6`,
};
const ONE = {
  name: 'member_of_directory',
  text: `
    select ${COLUMNS}
      from site_members m join people p using (person_id)
     where m.site_id = $1 and m.member_id = $2 and m.state <> 'removed'`,
};

@Injectable()
export class MemberDirectoryRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, after the member `after`. */
  list(siteId: string, filter: MemberFilter, after: string | null, limit: number): Promise<ListedMember[]> {
    const { text, state, role } = filter;
    return this.sql.query<ListedMember>(LIST, [siteId, state ?? null, role ?? null, text, after, limit]);
  }

  async one(siteId: string, memberId: string): Promise<ListedMember | undefined> {
    const [row] = await this.sql.query<ListedMember>(ONE, [siteId, memberId]);
    return row;
  }
}
