import type { Role } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface PersonRoles {
  readonly site_id: string;
  readonly person_id: string;
  readonly member_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly epoch: number;
  readonly version: number;
}

/** The read model of `identity.role.*`. */
@Injectable()
export class RoleRepository {
  /** The previous roles of the person; null if the row is as new or newer and stays unchanged. */
  async replace(tx: EntityManager, next: PersonRoles): Promise<readonly Role[] | null> {
    const { site_id, person_id, member_id, email, name, roles, epoch, version } = next;
    const [row] = await tx.query<{ previous: Role[] | null }[]>(
      `with previous as (
         select roles from people_roles where site_id = $1 and person_id = $2
       )
       insert into people_roles as p (site_id, person_id, email, name, roles, version, member_id, epoch)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (site_id, person_id) do update
         set email = excluded.email, name = excluded.name, roles = excluded.roles, version = excluded.version,
             epoch = excluded.epoch,
             member_id = coalesce(excluded.member_id, p.member_id)
         where (p.epoch, p.version) < (excluded.epoch, excluded.version)
       returning (select roles from previous) as previous`,
      [site_id, person_id, email, name, roles, version, member_id, epoch],
    );
    return row === undefined ? null : (row.previous ?? []);
  }
}
