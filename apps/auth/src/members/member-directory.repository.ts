import { Injectable } from '@nestjs/common';
import { Sql, preparedStatement } from '@lyceum/platform';
import type { PreparedStatement } from '@lyceum/platform';
import type { ListedMember, MemberFilter } from './listed-member.js';

const COLUMNS = `m.member_id, coalesce(m.name, p.name) as name, p.email, m.roles, m.state, m.joined_at`;
const ONE = {
  name: 'member_of_directory',
  text: `
    select ${COLUMNS}
      from site_members m join people p using (person_id)
     where m.site_id = $1 and m.member_id = $2 and m.state <> 'removed'`,
};

/** The text depends on the filters, so that each has its index: a site has many students and few other members. */
function page(siteId: string, filter: MemberFilter, after: string | null, limit: number): PreparedStatement {
  const values: unknown[] = [siteId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [`m.site_id = $1 and m.state <> 'removed'`];
  const { text, state, role } = filter;
  if (state !== undefined) conditions.push(`m.state = ${bind(state)}`);
  if (role !== undefined) conditions.push(`${bind(role)} = any(m.roles)`);
  if (role !== undefined && role !== 'student') conditions.push(`m.roles <> '{student}'`);
  if (text !== '') {
    const part = bind(text);
    conditions.push(`(position(${part} in lower(coalesce(m.name, p.name))) > 0 or position(${part} in p.email) > 0)`);
  }
  if (after !== null) {
    const id = bind(after);
    // Two values: PostgreSQL compares a row of one sub-select with no index.
    conditions.push(`(m.joined_at, m.member_id) <
      ((select joined_at from site_members where site_id = $1 and member_id = ${id}), ${id}::uuid)`);
  }
  const list = `
    select ${COLUMNS}
      from site_members m join people p using (person_id)
     where ${conditions.join(' and ')}
     order by m.joined_at desc, m.member_id desc limit ${bind(limit)}`;
  return preparedStatement('member_directory', list, values);
}

@Injectable()
export class MemberDirectoryRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, after the member `after`. */
  list(siteId: string, filter: MemberFilter, after: string | null, limit: number): Promise<ListedMember[]> {
    const statement = page(siteId, filter, after, limit);
    return this.sql.query<ListedMember>(statement, statement.values);
  }

  async one(siteId: string, memberId: string): Promise<ListedMember | undefined> {
    const [row] = await this.sql.query<ListedMember>(ONE, [siteId, memberId]);
    return row;
  }
}
