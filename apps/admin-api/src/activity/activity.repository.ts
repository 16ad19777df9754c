import { Sql } from '@lyceum/platform';
import { Where, listStatement, searchable } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { activity } from './activity.schema.js';
import type { ActivityListQuery } from './activity.schema.js';

export interface ActivityEntry {
  readonly id: string;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string | null;
  readonly member_id: string | null;
  readonly name: string | null;
  readonly client_id: string | null;
  readonly via: string;
  readonly request_id: string | null;
  readonly changed_fields: readonly string[];
  readonly created_at: Date;
  readonly total_count?: number;
}

/** The name is read with the entry: the log itself has no personal data. */
const COLUMNS = `id, action, object_type, object_id, member_id, client_id, via, request_id, changed_fields, created_at,
  (select m.name from members m where m.site_id = activity.site_id and m.id = activity.member_id) as name`;

@Injectable()
export class ActivityRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: { readonly site_id: string },
    query: ActivityListQuery,
    after: Position | undefined,
  ): Promise<ActivityEntry[]> {
    const where = searchable(new Where(site), activity, query);
    const statement = listStatement({ columns: COLUMNS, table: 'activity', where }, query, after);
    return this.sql.query<ActivityEntry>(statement, statement.values);
  }
}
