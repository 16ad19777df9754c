import { randomUUID } from 'node:crypto';
import { SiteStores } from '@lyceum/collections';
import type { CollectionModule, ListQueryOf } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Sql } from '@lyceum/platform';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Coupon } from './coupons/coupon.entity.js';
import type { coupon } from './coupons/coupon.schema.js';
import { CouponService } from './coupons/coupon.service.js';
import { declared, served } from './faults.js';

/** The faults begin when the objects of the fuzzer exist. */
export const armed = { on: false };

const missing = (): ApiError => new ApiError('not_found', 'This site has no such coupon');

@Injectable()
class Throwing extends CouponService {
  override get(principal: Principal, id: string): Promise<Coupon> {
    if (armed.on) throw new TypeError('A planted error');
    return super.get(principal, id);
  }
}

@Injectable()
class Hanging extends CouponService {
  override list(principal: Principal, query: ListQueryOf<typeof coupon>): Promise<Page<Coupon>> {
    return armed.on ? new Promise(() => undefined) : super.list(principal, query);
  }
}

@Injectable()
class WritingBefore extends CouponService {
  constructor(
    stores: SiteStores,
    private readonly outbox: Outbox,
  ) {
    super(stores);
  }

  override async get(principal: Principal, id: string): Promise<Coupon> {
    if (!armed.on) return super.get(principal, id);
    const name = randomUUID();
    await this.outbox.transaction((tx) => super.patch(principal, { id }, { name }, tx));
    throw missing();
  }
}

@Injectable()
class WritingSilently extends CouponService {
  constructor(
    stores: SiteStores,
    private readonly sql: Sql,
  ) {
    super(stores);
  }

  override async get(principal: Principal, id: string): Promise<Coupon> {
    if (!armed.on) return super.get(principal, id);
    const text = 'update coupons set redeemed_count = redeemed_count + 1 where site_id = $1';
    await this.sql.query({ name: 'planted', text }, [principal.site_id]);
    throw missing();
  }
}

/** Adds a member to objects. */
const talkative: Provider = {
  provide: Symbol('talkative'),
  inject: [HttpAdapterHost],
  useFactory: ({ httpAdapter }: HttpAdapterHost) => {
    const fastify = httpAdapter.getInstance() as FastifyInstance;
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      const isObject = armed.on && reply.statusCode === 200 && typeof payload === 'string' && payload.startsWith('{');
      if (isObject) void reply.removeHeader('content-length');
      done(null, isObject ? payload.replace('{', '{"secret":1,') : payload);
    });
    return {};
  },
};

interface FuzzFault {
  readonly name: string;
  readonly module: CollectionModule;
  /** Milliseconds in which a response of the fixture has to come. */
  readonly limit?: number;
  /** Milliseconds of the search for a smaller batch. */
  readonly search?: number;
  /** The finding. */
  readonly found: RegExp;
}

export const fuzzFaults: readonly FuzzFault[] = [
  { name: 'a handler that throws', module: served(Throwing), found: /batch has [12] requests?:[^]+500: .+internal/ },
  // Each smaller batch waits for the limit, too. Other faults show that the search finds a batch of one or two.
  { name: 'a handler that never ends', module: served(Hanging), limit: 2_000, search: 0, found: /No response in/ },
  {
    name: 'a row that is written before a refusal',
    module: served(WritingBefore),
    found: /→ 404\n {2}It was not accepted, and changed coupons/,
  },
  {
    name: 'a row that is written without a message',
    module: served(WritingSilently),
    found: /A transaction without a message changed coupons/,
  },
  {
    name: 'an undescribed member',
    module: declared({}, [CouponService, talkative]),
    found: /must NOT have additional properties/,
  },
];
