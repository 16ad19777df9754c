import type { AnalyticsRows } from './analytics-rows.js';

/** The figures of a report by a plain scan of the rows, without rollups and without instants of periods. */

export interface Days {
  readonly from: string;
  readonly to: string;
}
type Row = Readonly<Record<string, never>>;

const MONTHS_OF_YEAR = 12n;
const DAYS_OF_YEAR = 365n;

export class AnalyticsScan {
  private constructor(
    private readonly tables: Readonly<Record<string, readonly Row[]>>,
    private readonly dayOf: (instant: Date) => string,
  ) {}

  static async of(rows: AnalyticsRows, timeZone: string): Promise<AnalyticsScan> {
    const names =
      'orders order_refunds enrollments progress subscriptions membership_plan_prices events event_registrations';
    const tables: Record<string, readonly Row[]> = {};
    for (const name of names.split(' ')) tables[name] = await rows.rows<Row>(name);
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    const days = new Map<number, string>();
    return new AnalyticsScan(tables, (instant) => {
      const day = days.get(instant.getTime()) ?? format.format(instant);
      days.set(instant.getTime(), day);
      return day;
    });
  }

  sales(days: Days) {
    const orders = this.#rows('orders');
    const paid = orders.filter(({ paid_at }) => this.#isIn(paid_at, days));
    const refunds = this.#rows('order_refunds').filter(({ refunded_at }) => this.#isIn(refunded_at, days));
    const currencyOf = new Map(orders.map(({ id, currency }) => [String(id), String(currency)]));
    const all = [...paid.map(({ id }) => id), ...refunds.map(({ order_id }) => order_id)];
    return [...new Set(all.map((id) => currencyOf.get(String(id)) ?? ''))].toSorted().map((currency) => {
      const own = paid.filter((row) => row['currency'] === currency);
      const back = refunds.filter(({ order_id }) => currencyOf.get(String(order_id)) === currency);
      const gross_minor = sum(own, 'total_minor');
      const refunded_minor = sum(back, 'amount_minor');
      return {
        currency,
        orders_count: own.length,
        gross_minor,
        discount_minor: 0,
        tax_minor: 0,
        refunds_count: back.length,
        refunded_minor,
        net_minor: gross_minor - refunded_minor,
      };
    });
  }

  funnel(days: Days, course_id?: string) {
    const enrolled = this.#rows('enrollments').filter(
      (row) => this.#isIn(row['created_at'], days) && (course_id === undefined || row['course_id'] === course_id),
    );
    const watched = new Set(this.#rows('progress').map((row) => row['enrollment_id']));
    const completed = enrolled.filter((row) => row['completed_at'] !== null);
    const started = enrolled.filter((row) => row['completed_at'] !== null || watched.has(row['id']));
    return {
      enrolled_count: enrolled.length,
      started_count: started.length,
      completed_count: completed.length,
      start_rate: rate(started.length, enrolled.length),
      completion_rate: rate(completed.length, enrolled.length),
    };
  }

  /** Currencies of subscriptions that have begun until a day. */
  currencies(to: string): readonly string[] {
    const begun = this.#members().filter(({ start }) => start <= to);
    return [...new Set(begun.map(({ currency }) => currency))].toSorted();
  }

  memberships({ from, to }: Days, only?: string) {
    const all = this.#members().filter(({ currency }) => only === undefined || currency === only);
    const before = all.filter(({ start, end }) => start < from && (end === null || end >= from));
    const after = all.filter(({ start, end }) => start <= to && (end === null || end > to));
    const started = all.filter(({ start }) => start >= from && start <= to);
    const ended = all.filter(({ end }) => end !== null && end >= from && end <= to);
    const currencies = [...new Set(after.map(({ currency }) => currency))].toSorted();
    return {
      active_at_start_count: before.length,
      started_count: started.length,
      ended_count: ended.length,
      active_count: after.length,
      churn_rate: rate(ended.length, before.length),
      mrr: currencies.map((currency) => ({
        amount_minor: Number(
          after.filter((one) => one.currency === currency).reduce((total, { monthly }) => total + monthly, 0n),
        ),
        currency,
      })),
    };
  }

  cohorts({ from, to }: Days) {
    const months: string[] = [];
    for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = nextMonth(month)) months.push(month);
    return months.map((month) => {
      const started = this.#members().filter(({ start }) => start.startsWith(month));
      const later = months.filter((one) => one >= month);
      const activeAfter = (last: string): number =>
        started.filter(({ end }) => end === null || end.slice(0, 7) > last).length;
      return { month, started_count: started.length, active_counts: later.map(activeAfter) };
    });
  }

  attendance(days: Days) {
    const events = this.#rows('events').filter(
      (row) => this.#isIn(row['starts_at'], days) && ['published', 'live', 'ended'].includes(row['state'] as never),
    );
    const ids = new Set(events.map(({ id }) => id));
    const own = this.#rows('event_registrations').filter((row) => ids.has(row['event_id'] as never));
    const count = (...states: readonly string[]): number =>
      own.filter((row) => states.includes(row['state'] as never)).length;
    const registered_count = count('registered', 'checked_in', 'no_show');
    return {
      events_count: events.length,
      registered_count,
      attended_count: count('checked_in'),
      missed_count: count('no_show'),
      waitlisted_count: count('waitlisted'),
      canceled_count: count('canceled'),
      attendance_rate: rate(count('checked_in'), registered_count),
    };
  }

  /** Subscriptions to recurring plans with a paid period that lasted. */
  #members() {
    return this.#rows('subscriptions').flatMap((row) => {
      const { plan_type, trial_ends_at, started_at, current_period_end, ended_at } = row as unknown as {
        plan_type: string;
        trial_ends_at: Date | null;
        started_at: Date;
        current_period_end: Date;
        ended_at: Date | null;
      };
      const start = trial_ends_at ?? started_at;
      const isPaid = trial_ends_at === null || current_period_end > trial_ends_at;
      if (plan_type !== 'recurring' || !isPaid || (ended_at !== null && ended_at <= start)) return [];
      return {
        start: this.dayOf(start),
        end: ended_at === null ? null : this.dayOf(ended_at),
        currency: String(row['price_currency']),
        monthly: monthlyOf(row),
      };
    });
  }

  #rows(table: string): readonly Row[] {
    return this.tables[table] ?? [];
  }

  #isIn(instant: Date | null | undefined, { from, to }: Days): boolean {
    if (instant === null || instant === undefined) return false;
    const day = this.dayOf(instant);
    return from <= day && day <= to;
  }
}

/** The price of a month as a fraction, rounded half up. */
function monthlyOf(row: Row): bigint {
  const { billing_interval, interval_count, price_amount_minor } = row as unknown as {
    billing_interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
    price_amount_minor: string;
  };
  const [times, over] = {
    day: [DAYS_OF_YEAR, MONTHS_OF_YEAR],
    week: [DAYS_OF_YEAR, 7n * MONTHS_OF_YEAR],
    month: [1n, 1n],
    year: [1n, MONTHS_OF_YEAR],
  }[billing_interval] as [bigint, bigint];
  const divisor = over * BigInt(interval_count);
  return (2n * BigInt(price_amount_minor) * times + divisor) / (2n * divisor);
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

function sum(rows: readonly Row[], column: string): number {
  return rows.reduce((total, row) => total + Number(row[column]), 0);
}
