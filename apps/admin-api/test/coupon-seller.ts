import { randomUUID } from 'node:crypto';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { CouponService } from '#src/coupons/coupon.service.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';

type Redeeming = Parameters<CouponService['redeem']>[1];
type Redeemed = Awaited<ReturnType<CouponService['redeem']>>;

/** Orders items of a school with coupons, as the record of an order does. */
export class CouponSeller {
  readonly #coupons: CouponService;
  readonly #outbox: Outbox;
  readonly #site: { readonly site_id: string };

  constructor(private readonly api: TestApi) {
    const { app } = api.service;
    this.#coupons = app.get(CouponService, { strict: false });
    this.#outbox = app.get(Outbox, { strict: false });
    this.#site = { site_id: api.sites[0].site_id };
  }

  /** Creates a coupon of ten percent and returns its id and code. */
  async coupon(body: object = {}): Promise<{ readonly id: string; readonly code: string }> {
    const terms = { name: 'Ten percent', code: `C${randomUUID().slice(0, 8)}`, ...body };
    const response = await this.api.send<{ id: string; code: string }>('POST', '/api/v1/coupons', {
      body: { discount: { kind: 'percentage', percent: 10 }, ...terms },
    });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
  }

  async students(count: number): Promise<readonly string[]> {
    const rows = await withDatabase(this.api.databaseUrl, (client) =>
      client.query<{ id: string }>(
        `insert into students (site_id, email, name)
         select $1, gen_random_uuid() || '@example.com', 'Mei Lin' from generate_series(1, $2) returning id`,
        [this.#site.site_id, count],
      ),
    );
    return rows.rows.map(({ id }) => id);
  }

  /** Redeems a coupon in a transaction of its own. By default a plan of 1,000 TWD is ordered now. */
  redeem(order: Pick<Redeeming, 'code' | 'student_id'> & Partial<Redeeming>): Promise<Redeemed> {
    const lines = [{ item_type: 'course_plan', item_id: randomUUID(), amount_minor: 100_000 } as const];
    const whole = { order_id: randomUUID(), currency: 'TWD', lines, at: new Date(), ...order };
    return this.#outbox.transaction((tx) => this.#coupons.redeem(this.#site, whole, tx));
  }

  /** Returns `redeemed`, or the code of the refusal. */
  async outcome(order: Parameters<CouponSeller['redeem']>[0]): Promise<string> {
    try {
      await this.redeem(order);
      return 'redeemed';
    } catch (error) {
      if (error instanceof ApiError) return error.errors[0]?.code ?? error.code;
      // A busy machine has no free connection in time.
      if (!String(error).includes('timeout exceeded when trying to connect')) throw error;
      return this.outcome(order);
    }
  }

  restore(order_id: string): Promise<void> {
    return this.#outbox.transaction((tx) => this.#coupons.restore(this.#site, { order_id }, tx));
  }

  async read(id: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.api.send('GET', `/api/v1/coupons/${id}`)).body;
  }

  async redemptions(id: string, query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const path = `/api/v1/coupons/${id}/redemptions?limit=100${query}`;
    return (await this.api.send<{ data: Readonly<Record<string, unknown>>[] }>('GET', path)).body.data;
  }
}
