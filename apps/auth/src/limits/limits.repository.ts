import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

const TAKE = {
  name: 'rate_limit_take',
  text: `
    INSERT INTO rate_limits AS l (limit_key, window_start, hits)
    VALUES ($1, to_timestamp(floor(extract(epoch FROM now()) / $2::int) * $2::int), 1)
    ON CONFLICT (limit_key, window_start) DO UPDATE SET hits = l.hits + 1
    RETURNING hits, ceil(extract(epoch FROM window_start) + $2::int - extract(epoch FROM now()))::int AS left_seconds`,
};
const GIVE_BACK = {
  name: 'rate_limit_give_back',
  text: `
    UPDATE rate_limits SET hits = hits - 1
     WHERE limit_key = $1 AND hits > 0
       AND window_start = to_timestamp(floor(extract(epoch FROM now()) / $2::int) * $2::int)`,
};

@Injectable()
export class LimitsRepository {
  constructor(private readonly sql: Sql) {}

  /** Counts one hit in the current window of so many seconds. */
  async take(key: Buffer, windowSeconds: number): Promise<{ hits: number; left_seconds: number }> {
    const [row] = await this.sql.query<{ hits: number; left_seconds: number }>(TAKE, [key, windowSeconds]);
    return row ?? { hits: 1, left_seconds: windowSeconds };
  }

  /** Takes one hit of the current window back. */
  async giveBack(key: Buffer, windowSeconds: number): Promise<void> {
    await this.sql.query(GIVE_BACK, [key, windowSeconds]);
  }
}
