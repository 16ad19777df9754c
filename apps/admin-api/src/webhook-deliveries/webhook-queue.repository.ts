import type { OfSite } from '@lyceum/contracts';
import { Sql, preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PublicEvent } from '#src/changes/public-event.js';
import type { WebhookEndpoint } from '#src/webhook-endpoints/webhook-endpoint.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import { DELIVERY_LIMITS } from './webhook-delivery.policy.js';
import { ABOUT_ERASED } from './webhook-erasure.repository.js';
import { TEST_TYPE } from './webhook-message.js';

type Secrets = Pick<WebhookEndpoint, 'sealed_secret' | 'previous_sealed_secret' | 'previous_secret_until'>;

/** A delivery of a batch. */
export interface DueDelivery extends Pick<
  WebhookDelivery,
  'id' | 'event_id' | 'event_type' | 'object_id' | 'attempts'
> {
  /** RFC 3339 */
  readonly occurred_at: string;
  readonly data: unknown;
}

/** Those that fail have places of their own. */
export type Lane = keyof typeof DELIVERY_LIMITS.endpoints;

/** Deliveries that are due at endpoints of a lane. */
export interface Backlog {
  readonly lane: Lane;
  readonly waiting: number;
  readonly oldest_seconds: number;
}

/** An endpoint that this replica has until the lease ends, with its next deliveries. */
export interface Batch extends Pick<WebhookEndpoint, 'site_id' | 'id' | 'url' | 'state'>, Secrets {
  /** End of the lease as text of PostgreSQL. It identifies the lease. */
  readonly lease: string;
  readonly failing_since: Date | null;
  readonly deliveries: readonly DueDelivery[];
}

/** The result of a turn for the queue of its endpoint. */
export interface TurnEnd {
  readonly succeeded: boolean;
  /** The endpoint gets another turn. */
  readonly wakes: boolean;
  /** Seconds for which the receiver asked for no delivery. */
  readonly asked: number | null;
}

/** The end of an attempt. */
export interface RecordedAttempt {
  readonly id: string;
  readonly state: WebhookDelivery['state'];
  readonly retry_seconds: number | null;
  readonly response_status: number | null;
  readonly response_ms: number;
  readonly error: string | null;
  readonly response_body: string | null;
}

const { leaseSeconds, perTurn, loggedDays } = DELIVERY_LIMITS;
/** Deliveries that the metrics count for an endpoint, and endpoints that they read. */
const COUNTED = { deliveries: 10_000, endpoints: 1_000 } as const;

/** Locks queues in one order, so that two transactions do not wait for each other. */
const ENQUEUE = {
  name: 'webhook_deliveries_enqueue',
  text: `with event as (
      select * from jsonb_to_recordset($1::jsonb)
      as event (id uuid, site_id uuid, type text, object_id text, occurred_at timestamptz, data jsonb)),
    made as (
      insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, object_id, occurred_at, data)
      select event.site_id, e.id, event.id, event.type, event.object_id, event.occurred_at, event.data
      from event join webhook_endpoints e
        on e.site_id = event.site_id and e.state = 'enabled' and event.type = any (e.event_types)
      on conflict (site_id, endpoint_id, event_id) do nothing
      returning site_id, endpoint_id),
    locked as (
      select q.site_id, q.endpoint_id from webhook_queues q
      where (q.site_id, q.endpoint_id) in (select site_id, endpoint_id from made)
      order by q.site_id, q.endpoint_id for no key update)
    update webhook_queues q
    set due_at = least(q.due_at, greatest(q.held_until, date_trunc('milliseconds', clock_timestamp()))),
      -- the previous release leaves the failures of a queue in which nothing waits
      failing_since = case when q.due_at is not null or q.leased_until > now() then q.failing_since end
    from locked where q.site_id = locked.site_id and q.endpoint_id = locked.endpoint_id`,
};

/** Locks the due endpoints of a lane that wait longest, of sites with a free place. */
function dueIn(lane: Lane, limit: string): string {
  return `select q.site_id, q.endpoint_id, q.due_at, busy.places
      from webhook_queues q
      cross join lateral (
        select count(*) as places from webhook_queues b
        where b.site_id = q.site_id and (b.failing_since is not null) = ${lane === 'failing'} and b.leased_until > now()
      ) busy
      where q.due_at <= now() and (q.failing_since is not null) = ${lane === 'failing'}
        and (q.leased_until is null or q.leased_until <= now()) and busy.places < ${DELIVERY_LIMITS.perSite[lane]}
      order by q.due_at limit ${limit} for no key update of q skip locked`;
}

/** Those of the locked endpoints that get the free places of their sites. */
function turnOf(lane: Lane): string {
  return `select site_id, endpoint_id from (
      select *, row_number() over (partition by site_id order by due_at, endpoint_id) as turn from due_${lane}) due
    where places + turn <= ${DELIVERY_LIMITS.perSite[lane]}`;
}

/**
 * The endpoints that wait longest come first. One with a long backlog waits after each batch. A claimed queue is due at
 * the end of its lease; an earlier instant means that a delivery was added meanwhile. Replicas that claim at one
 * instant may give a site a few places more.
 */
const CLAIM = {
  name: 'webhook_queues_claim',
  text: `with due_healthy as materialized (${dueIn('healthy', '$1')}),
    due_failing as materialized (${dueIn('failing', '$2')}),
    turn as (${turnOf('healthy')} union all ${turnOf('failing')}),
    claimed as (
      update webhook_queues q
      set leased_until = now() + interval '${leaseSeconds} seconds', due_at = now() + interval '${leaseSeconds} seconds'
      from turn where q.site_id = turn.site_id and q.endpoint_id = turn.endpoint_id
      returning q.site_id, q.endpoint_id, q.leased_until::text as lease, q.failing_since)
    select e.site_id, e.id, e.url, e.state, e.sealed_secret, e.previous_sealed_secret, e.previous_secret_until,
      claimed.lease, claimed.failing_since, due.deliveries
    from claimed
    join webhook_endpoints e on e.site_id = claimed.site_id and e.id = claimed.endpoint_id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'event_id', d.event_id, 'event_type', d.event_type,
        'object_id', d.object_id, 'attempts', d.attempts, 'data', d.data,
        'occurred_at', to_char(d.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]') as deliveries
      from (
        select * from webhook_deliveries d
        where d.site_id = e.site_id and d.endpoint_id = e.id and d.due_at <= now()
        order by d.due_at, d.id limit ${perTurn}) d) due`,
};

/**
 * The statement sees the deliveries of its start. One that a transaction added since then has lowered `due_at` of the
 * queue below the end of the lease, and the update sees the queue as that transaction left it. In the same way it sees
 * a removal of a member. A failure after which nothing waits is over: the next one starts `failing_since` again.
 */
const RECORD = {
  name: 'webhook_queues_record',
  text: `with attempt as (
      select * from jsonb_to_recordset($4::jsonb) as attempt (id uuid, state text, retry_seconds float8,
        response_status int, response_ms int, error text, response_body text)),
    waiting as (
      select least(
        (select now() + make_interval(secs => min(retry_seconds)) from attempt),
        (select min(d.due_at) from webhook_deliveries d where d.site_id = $1 and d.endpoint_id = $2
           and d.due_at is not null and d.id not in (select id from attempt))) as due_at),
    held as (
      update webhook_queues q
      set leased_until = null,
        held_until = now() + make_interval(secs => $7::float8),
        failing_since = case when $5 then null
          when not exists (select from attempt) then q.failing_since
          when q.due_at >= q.leased_until and (select due_at from waiting) is null then null
          else coalesce(q.failing_since, now()) end,
        due_at = greatest(
          now() + make_interval(secs => $7::float8),
          least(
            case when q.due_at < q.leased_until then q.due_at end,
            case when $6 then (select due_at from waiting) end))
      where q.site_id = $1 and q.endpoint_id = $2 and q.leased_until = $3::timestamptz
      returning q.site_id, coalesce(q.erased_at < $3::timestamptz - interval '${leaseSeconds} seconds', true) as stores),
    recorded as (
      update webhook_deliveries d
      set state = a.state, attempts = d.attempts + 1, due_at = now() + make_interval(secs => a.retry_seconds),
        attempted_at = now(), response_status = a.response_status, response_ms = a.response_ms, error = a.error,
        response_body = case when held.stores and a.response_body is not null and not ${ABOUT_ERASED}
          then a.response_body end,
        version = d.version + 1, updated_at = now()
      from attempt a, held where d.site_id = held.site_id and d.id = a.id)
    select 1 as held from held`,
};

/** A queue whose endpoint has its turn is due at the end of the lease, which is soon. */
const BACKLOG = {
  name: 'webhook_queues_backlog',
  text: `select lane.name as lane, coalesce(sum(due.waiting), 0)::int as waiting,
      coalesce(extract(epoch from now() - min(due.oldest)), 0)::float8 as oldest_seconds
    from (values ('healthy', false), ('failing', true)) lane (name, failing)
    left join lateral (
      select site_id, endpoint_id from webhook_queues
      where (failing_since is not null) = lane.failing and due_at <= now() + interval '${leaseSeconds} seconds'
        and (due_at <= now() or leased_until > now())
      order by due_at limit ${COUNTED.endpoints}) q on true
    left join lateral (
      select count(*) as waiting, min(due_at) as oldest from (
        select due_at from webhook_deliveries d
        where d.site_id = q.site_id and d.endpoint_id = q.endpoint_id and d.due_at <= now()
        order by due_at limit ${COUNTED.deliveries}) d) due on true
    group by lane.name`,
};

@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly sql: Sql) {}

  async enqueue(tx: EntityManager, events: readonly PublicEvent[]): Promise<void> {
    await preparedQuery(tx, ENQUEUE, [JSON.stringify(events)]);
  }

  /** Claims endpoints with due deliveries, at most these numbers of each lane. */
  claim({ healthy, failing }: Readonly<Record<Lane, number>>): Promise<Batch[]> {
    return this.sql.query<Batch>(CLAIM, [healthy, failing]);
  }

  /**
   * Records attempts of a batch, and ends its lease. Returns false, and records nothing, when the lease has ended:
   * another replica may have sent the batch.
   */
  async record(
    { site_id, id, lease }: Batch,
    attempts: readonly RecordedAttempt[],
    { succeeded, wakes, asked }: TurnEnd,
    tx?: EntityManager,
  ): Promise<boolean> {
    const values = [site_id, id, lease, JSON.stringify(attempts), succeeded, wakes, asked];
    const held = await this.sql.query(RECORD, values, tx);
    return held.length > 0;
  }

  backlog(): Promise<Backlog[]> {
    return this.sql.query<Backlog>(BACKLOG, []);
  }

  /** Adds a delivery that belongs to no event. Returns its id. */
  async addTest(tx: EntityManager, { site_id }: OfSite, endpoint_id: string): Promise<string> {
    const [row] = await tx.query<{ id: string }[]>(
      `insert into webhook_deliveries (site_id, endpoint_id, event_id, event_type, occurred_at, data)
       values ($1, $2::uuid, uuidv7(), '${TEST_TYPE}', now(), jsonb_build_object('webhook_endpoint_id', $2::uuid)) returning id`,
      [site_id, endpoint_id],
    );
    if (row === undefined) throw new Error('An insert returns its row');
    return row.id;
  }

  /** Makes a delivery pending again, as if it were new. */
  async restart(tx: EntityManager, { site_id, id }: Pick<WebhookDelivery, 'site_id' | 'id'>): Promise<void> {
    await tx.query(
      `update webhook_deliveries set state = 'pending', attempts = 0, due_at = now(), version = version + 1,
         updated_at = now()
       where site_id = $1 and id = $2`,
      [site_id, id],
    );
  }

  /** Deletes at most `limit` deliveries that are too old. Returns their number. */
  async forget(limit: number): Promise<number> {
    const gone = await this.sql.query(
      {
        name: 'webhook_deliveries_forget',
        text: `with old as (
            select site_id, id from webhook_deliveries where created_at < now() - interval '${loggedDays} days'
              and (state <> 'pending' or updated_at < now() - interval '${loggedDays} days')
            order by created_at limit $1 for update skip locked)
          delete from webhook_deliveries d using old where d.site_id = old.site_id and d.id = old.id returning 1 as gone`,
      },
      [limit],
    );
    return gone.length;
  }
}
