import { REQUEST_HEADERS } from '@lyceum/contracts';
import type { ConventionApi } from '../conventions/index.js';

/** Rows that a transaction changed. */
export interface RowChanges {
  readonly tables: readonly string[];
  /** The ids of the requests that the outbox names for its messages. */
  readonly requests: readonly string[];
}

/**
 * Tables whose rows change without an accepted write:
 * - `rate_windows`: each request counts.
 * - `idempotency_keys`: a refusal that depends on the state of objects is kept, so that a retry gets it again.
 * - `outbox`: the relay deletes what it has published. Its inserts count.
 * - `outbox_log`: the copy that `ConventionApi` keeps of the outbox.
 * - `row_changes`: the log of changes itself.
 */
const NOT_COMPARED = ['rate_windows', 'idempotency_keys', 'outbox', 'outbox_log', 'row_changes'];

/** Tables of work, whose rows a task of the service deletes. */
const QUEUES = ['event_erasures'];

/** The column by which a task or request reserves its work on a row. It is no change of the object. */
const LEASE = 'checked_until';

const SETUP = `
  create table if not exists row_changes (tx xid8 not null, name text not null, request text);
  create or replace function note_change() returns trigger language plpgsql as $$
    begin
      if to_jsonb(old) - '${LEASE}' is distinct from to_jsonb(new) - '${LEASE}' and coalesce(to_jsonb(new) ->> 'version', '') <> '0' then
        insert into row_changes values (pg_current_xact_id(), tg_argv[0], null);
      end if;
      return null;
    end $$;
  create or replace function note_message() returns trigger language plpgsql as $$
    begin
      insert into row_changes values (pg_current_xact_id(), 'outbox', new.trace ->> '${REQUEST_HEADERS.requestId}');
      return null;
    end $$;
  create or replace trigger note_message after insert on outbox for each row execute function note_message();`;

/**
 * Notes each change of a row by a trigger: a transaction that changes rows has a message, and a message its request. A
 * row of version 0 is no change: it is the lock of settings that a site has not set, and an empty patch leaves it.
 */
export class ChangeLog {
  private constructor(private readonly api: ConventionApi) {}

  static async open(api: ConventionApi): Promise<ChangeLog> {
    const tables = await api.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($1)`,
      [NOT_COMPARED],
    );
    const triggers = tables.map(
      ({ name }) =>
        `create or replace trigger note_change after insert ${QUEUES.includes(name) ? '' : 'or update or delete'} on ${name}
         for each row execute function note_change('${name}');`,
    );
    await api.query([SETUP, ...triggers].join('\n'));
    const changes = new ChangeLog(api);
    await changes.take();
    return changes;
  }

  /** The changes since the last call, by transaction. */
  async take(): Promise<RowChanges[]> {
    return this.api.query<RowChanges>(
      `with taken as (delete from row_changes returning tx, name, request)
       select array_agg(distinct name) as tables, array_remove(array_agg(distinct request), null) as requests
       from taken group by tx`,
    );
  }
}
