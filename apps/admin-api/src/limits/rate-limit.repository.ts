import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { QUOTAS, SHARE } from './rate-limit.policy.js';
import type { Kind } from './rate-limit.policy.js';

export interface Subject {
  readonly site_id: string;
  readonly client_id: string;
  readonly kind: Kind;
}

export interface Lease {
  /** Requests that the replica may let through; 0 when the minute's quota is used up. */
  readonly granted: number;
  /** What is left for all of them after it. */
  readonly left: number;
}

/** How much of a minute's quota the replicas have taken: the only thing about limits that they share. */
@Injectable()
export class RateLimitRepository {
  constructor(private readonly sql: Sql) {}

  /** A replica whose clock is behind takes from the minute that the others are in. */
  async lease({ site_id, client_id, kind }: Subject, minute: number): Promise<Lease> {
    const quota = QUOTAS[kind];
    const [row] = await this.sql.query<{ granted: number; used: number }>(
      {
        name: 'rate_limits_lease',
        text: `
          insert into rate_limits as r (site_id, client_id, kind, minute, used)
          values ($1, $2, $3, $4, greatest(1, $5::int / $6::int))
          on conflict (site_id, client_id, kind) do update
            set minute = greatest(r.minute, excluded.minute),
                used = case when r.minute < excluded.minute then excluded.used
                            else r.used + greatest(1, ($5::int - r.used) / $6::int) end
            where r.minute < excluded.minute or r.used < $5::int
          returning new.used, new.used - case when old.minute = new.minute then old.used else 0 end as granted`,
      },
      [site_id, client_id, kind, minute, quota, SHARE],
    );
    return row === undefined ? { granted: 0, left: 0 } : { granted: row.granted, left: quota - row.used };
  }
}
