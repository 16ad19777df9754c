import type { Role } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';

@Injectable()
export class MemberRolesRepository {
  constructor(private readonly sql: Sql) {}

  async find({ site_id }: { readonly site_id: string }, member_id: string): Promise<Role[]> {
    const [row] = await this.sql.query<{ readonly roles: Role[] }>(
      {
        name: 'members_roles',
        text: `select roles from members where site_id = $1 and id = $2 and state = 'active'`,
      },
      [site_id, member_id],
    );
    return row?.roles ?? [];
  }
}
