import { SiteStores, collectionFrom, collectionModule } from '@lyceum/collections';
import type { CollectionModule, CreateOf, Created, Key, ListQueryOf, Written } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import { IdempotentWrites, Pager, name } from '@lyceum/rest';
import type { ApiResponse, Page, Position, Write } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Coupon } from './coupons/coupon.entity.js';
import { couponEvents } from './coupons/coupon.events.js';
import { couponCollection } from './coupons/coupon.operations.js';
import { coupon } from './coupons/coupon.schema.js';
import type { CouponPatch } from './coupons/coupon.schema.js';
import { CouponService } from './coupons/coupon.service.js';

export interface Fault {
  readonly name: string;
  /** The beginning of the checks that must find it. */
  readonly rule: string;
  readonly module: CollectionModule;
  /** Breaks the database for the rest of the file. */
  readonly sql?: string;
}

type Declaration = Parameters<typeof collectionFrom>[0];

/** Coupons with another declaration. */
export function declared(
  changes: Partial<Declaration>,
  providers: readonly Provider[] = [CouponService],
): CollectionModule {
  const faulty = collectionFrom({ ...couponCollection.declared, ...changes });
  return collectionModule({ operations: [faulty], services: [], providers, entities: [Coupon] });
}

/** Coupons with another service. */
export const served = (service: Type<CouponService>): CollectionModule =>
  declared({}, [{ provide: CouponService, useClass: service }]);

const { listQuery } = coupon;
const limit = z.coerce.number().transform((value) => Math.min(Math.max(value, 1), 100));

@Injectable()
class Unfenced extends CouponService {
  override get(principal: Principal, id: string): Promise<Coupon> {
    return super.get({ ...principal, client_id: 'another' }, id);
  }
}

@Injectable()
class Committing extends CouponService {
  constructor(
    stores: SiteStores,
    private readonly outbox: Outbox,
  ) {
    super(stores);
  }

  override async create(
    principal: Principal,
    input: CreateOf<typeof coupon>,
    tx: EntityManager,
  ): Promise<Created<Coupon>> {
    const { id: aggregate_id, site_id, code, active, redeemed_count } = (await super.create(principal, input, tx)).row;
    const data = { coupon_id: aggregate_id, site_id, code, active, redeemed_count };
    await this.outbox.transaction((own) =>
      this.outbox.add(own, couponEvents, 'updated', { aggregate_id, aggregate_version: 1, site_id, data }),
    );
    return super.create(principal, { ...input, code: `${code}-2`, external_id: null }, tx);
  }
}

@Injectable()
class Unconditional extends CouponService {
  override patch(principal: Principal, { id }: Key, patch: CouponPatch, tx: EntityManager): Promise<Written<Coupon>> {
    return super.patch(principal, { id }, patch, tx);
  }
}

@Injectable()
class Leaking extends CouponService {
  constructor(
    stores: SiteStores,
    private readonly sql: Sql,
  ) {
    super(stores);
  }

  override async get(principal: Principal, id: string): Promise<Coupon> {
    const statement = { name: 'leak', text: 'select 1 from coupons where id = $1 and site_id <> $2' };
    const foreign = await this.sql.query(statement, [id, principal.site_id]);
    if (foreign.length > 0) throw new ApiError('forbidden', 'The coupon belongs to another site');
    return super.get(principal, id);
  }
}

@Injectable()
class Unfiltered extends CouponService {
  override list(
    principal: Principal,
    { active: _active, ...query }: ListQueryOf<typeof coupon>,
  ): Promise<Page<Coupon>> {
    return super.list(principal, query);
  }
}

@Injectable()
class Chatty extends CouponService {
  override async setActive(principal: Principal, key: Key, active: boolean, tx: EntityManager) {
    const written = await super.setActive(principal, key, active, tx);
    return { ...(await super.patch(principal, { id: key.id }, { name: 'Chatty' }, tx)), changed: written.changed };
  }
}

@Injectable()
class Restless extends CouponService {
  override async patch(principal: Principal, key: Key, patch: CouponPatch, tx: EntityManager) {
    await super.patch(principal, key, { name: 'Restless' }, tx);
    return super.patch(principal, { id: key.id }, patch, tx);
  }
}

@Injectable()
class Lenient extends CouponService {
  override async setActive(principal: Principal, key: Key, _active: boolean, tx: EntityManager) {
    return super.setActive(principal, key, true, tx);
  }
}

/** Runs a request again that has the key of another one. */
const forgetful: Provider = {
  provide: IdempotentWrites,
  inject: [Outbox],
  useFactory: (outbox: Outbox) => {
    const writes = new IdempotentWrites(outbox, {} as never);
    const run = (
      principal: Principal,
      write: Write,
      work: Parameters<IdempotentWrites['run']>[2],
    ): Promise<ApiResponse> => writes.run(principal, { ...write, key: null }, work);
    return { run };
  },
};

/** Shows the limits of what succeeds alone. */
const secretive: Provider = {
  provide: Symbol('secretive'),
  inject: [HttpAdapterHost],
  useFactory: ({ httpAdapter }: HttpAdapterHost) => {
    const fastify = httpAdapter.getInstance() as FastifyInstance;
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode >= 400) void reply.removeHeader('ratelimit');
      done();
    });
    return {};
  },
};

class UnsignedPager extends Pager {
  constructor() {
    super({
      seal: (_context: unknown, position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url'),
      open: (_context: unknown, cursor: string) => positionOf(Buffer.from(cursor, 'base64url').toString()),
    } as never);
  }
}

function positionOf(text: string): Position {
  const [, value = '2000-01-01T00:00:00Z', id = '019ab3c0-0000-7000-8000-000000000000'] =
    /"([^"]+)","([^"]+)"/.exec(text) ?? [];
  return [value, id];
}

export const faults: readonly Fault[] = [
  { name: 'another scope', rule: 'needs the scope that the contract names', module: declared({ scope: 'posts' }) },
  {
    name: 'a refusal without its limit',
    rule: 'shows the limit of what it refuses',
    module: declared({}, [CouponService, secretive]),
  },
  { name: 'a missing fence', rule: 'hides objects that the fence hides', module: served(Unfenced) },
  {
    name: 'a clamped limit',
    rule: 'accepts limits from 1 to 100',
    module: declared({ resource: { ...coupon, listQuery: listQuery.extend({ limit: limit.default(20) }) } }),
  },
  { name: 'a dry run that writes to the outbox', rule: 'changes nothing in a dry run and', module: served(Committing) },
  { name: 'a stale entity tag that is accepted', rule: 'refuses a stale entity tag', module: served(Unconditional) },
  { name: 'an entity tag that stays', rule: 'changes the entity tag', module: declared({ etag: () => '"1"' }) },
  { name: "another site's object that is 403", rule: "answers 404 for another site's object", module: served(Leaking) },
  {
    name: 'unknown parameters that are ignored',
    rule: 'refuses unknown parameters',
    module: declared({ resource: { ...coupon, listQuery: z.object(listQuery.shape) } }),
  },
  {
    name: 'a replay that runs again',
    rule: 'repeats the response of an idempotency key',
    module: declared({}, [CouponService, forgetful]),
  },
  {
    name: 'an unsigned cursor',
    rule: 'refuses a cursor of another list',
    module: declared({}, [CouponService, { provide: Pager, useClass: UnsignedPager }]),
  },
  {
    name: 'a response that the document does not describe',
    rule: 'says how many requests are left',
    module: declared({ view: { redeemed_count: () => 'many' } }),
  },
  { name: 'a filter that is ignored', rule: 'filters by active', module: served(Unfiltered) },
  { name: 'two events of one write', rule: 'publishes exactly one event', module: served(Chatty) },
  { name: 'a no-op that writes', rule: 'publishes nothing when nothing changes', module: served(Restless) },
  { name: 'an action without effect', rule: 'moves by deactivate from true', module: served(Lenient) },
  {
    name: 'a limit that the document does not have',
    rule: 'accepts members at their limits',
    module: declared({ resource: { ...coupon, create: coupon.create.extend({ name: name(201) }) } }),
  },
  {
    name: 'an order without an index',
    rule: 'serves sort=updated_at by an index',
    module: declared({}),
    sql: 'drop index coupons_by_updated_at',
  },
  {
    name: 'a filter by metadata without an index',
    rule: 'serves metadata by an index',
    module: declared({}),
    sql: 'drop index coupons_metadata',
  },
  {
    name: 'a tool with another scope',
    rule: 'refuses a tool call without its scope',
    module: declared({ scope: 'posts' }),
  },
  {
    name: "a tool that tells of another site's object",
    rule: "answers a tool call for another site's object",
    module: served(Leaking),
  },
  {
    name: 'a dry run of a tool that writes to the outbox',
    rule: 'changes nothing in a dry run of a tool',
    module: served(Committing),
  },
  {
    name: 'a tool that converts its arguments',
    rule: 'refuses tool arguments of another type',
    module: declared({ resource: { ...coupon, create: coupon.create.extend({ name: z.coerce.string() }) } }),
  },
  {
    name: 'a tool that shows another value',
    rule: 'answers a tool call as the REST API does',
    module: declared({ toolMembers: { name: { schema: z.string(), of: () => 'Another name' } } }),
  },
  {
    name: 'a tool that lists items without their ids',
    rule: 'answers a tool call as the REST API does: list_coupons',
    module: declared({ toolItem: ['code', 'name'] }),
  },
];
