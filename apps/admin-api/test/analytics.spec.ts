import { randomUUID } from 'node:crypto';
import type { Role } from '@lyceum/contracts';
import { REPORTS } from '#src/analytics/analytics.schema.js';
import type { ReportName } from '#src/analytics/analytics.schema.js';
import { AnalyticsRows } from './analytics-rows.js';
import { later } from './analytics-steps.js';
import { AnalyticsTarget } from './analytics-target.js';
import type { Report } from './analytics-target.js';
import { Checkout } from './checkout.js';
import { toolCaller } from './tool-caller.js';

let target: AnalyticsTarget;
beforeAll(async () => {
  target = await AnalyticsTarget.open();
});
afterAll(() => target?.close());

describe('the rollups', () => {
  const NOVEMBER = { from: '2025-11-01', to: '2025-11-30', timezone: 'UTC' };
  const PAID = new Date('2025-11-05T10:00:00Z');
  const salesOf = async ({ site_id }: AnalyticsRows): Promise<unknown> =>
    (await target.read(site_id, 'revenue', NOVEMBER)).totals['sales'];

  /** Enrollments of all courses: enrolled, started and completed. */
  const enrollmentsOf = async (rows: AnalyticsRows): Promise<number[]> => {
    const counted = await rows.rows<Record<string, unknown>>('analytics_enrollments');
    const counts = ['enrolled_count', 'started_count', 'completed_count'];
    return counted.filter((row) => row['course_id'] === null).flatMap((row) => counts.map((name) => Number(row[name])));
  };

  it('shows up to when the rollups have all changes', async () => {
    const rows = await AnalyticsRows.open(target.database);
    await target.fold();
    const before = new Date();
    await rows.order(PAID, 'TWD', 100);
    const after = new Date();
    const report = await target.read(rows.site_id, 'revenue', NOVEMBER);
    // The clock of the service may have counted the order already.
    const [sale] = report.totals['sales'] as unknown[];
    if (sale === undefined) {
      expect(Date.parse(report.as_of)).toBeGreaterThanOrEqual(before.getTime());
      expect(Date.parse(report.as_of)).toBeLessThanOrEqual(after.getTime());
    }
    await target.fold();
    const counted = await target.read(rows.site_id, 'revenue', NOVEMBER);
    expect(Date.parse(counted.as_of)).toBeGreaterThanOrEqual(after.getTime());
    expect(counted.totals).toMatchObject({ sales: [{ orders_count: 1, gross_minor: 100 }] });
  });

  it('counts again from the rows at a rebuild, while other replicas count', async () => {
    const rows = await AnalyticsRows.open(target.database);
    await rows.order(PAID, 'TWD', 100);
    await rows.plan('month', 1, 100, 'TWD');
    await rows.subscribe(0, PAID, null, later(PAID, 30));
    await target.fold();
    const reports = () =>
      Promise.all((['overview', 'memberships'] as const).map((one) => target.read(rows.site_id, one, NOVEMBER)));
    const [{ as_of: _first, ...overview }, { as_of: _second, ...memberships }] = (await reports()) as [Report, Report];
    for (const table of ['analytics_sales', 'analytics_sales_hours', 'analytics_sales_blocks']) {
      await target.database.query(`update ${table} set gross_minor = gross_minor + 1 where site_id = $1`, [
        rows.site_id,
      ]);
    }
    for (const table of ['memberships', 'memberships_hours', 'memberships_blocks', 'membership_months', 'cohorts']) {
      await target.database.query(`delete from analytics_${table} where site_id = $1`, [rows.site_id]);
    }
    // Without quarters, as no change leaves it.
    for (const [table, begin] of [
      ['hours', '2025-11-07T10:00:00Z'],
      ['blocks', '2025-11-09T08:00:00Z'],
    ]) {
      await target.database.query(
        `insert into analytics_sales_${table} values ($1, '${begin}', 'TWD', 1, 1, 0, 0, 0, 0)`,
        [rows.site_id],
      );
    }
    expect(await salesOf(rows)).toMatchObject([{ orders_count: 2, gross_minor: 102 }]);
    const [done] = await Promise.all([target.rebuild(), target.fold(), target.fold()]);
    expect(done.quarters).toBeGreaterThanOrEqual(4);
    expect(await reports()).toMatchObject([overview, memberships]);
  });

  it('counts an enrollment again at its first lecture and its completion, and not at later lectures', async () => {
    const rows = await AnalyticsRows.open(target.database);
    await rows.enroll(0, PAID);
    /** Marks that a change makes. The transaction does not see that the service deletes others. */
    const marksOf = async (change: () => Promise<void>): Promise<number> => {
      const marks = async () => (await rows.rows('analytics_marks')).length;
      await target.database.query('begin isolation level repeatable read');
      const before = await marks();
      await change();
      const made = (await marks()) - before;
      await target.database.query('commit');
      return made;
    };
    expect(await marksOf(() => rows.watch(0, PAID))).toBe(1);
    expect(await marksOf(() => rows.watch(0, PAID))).toBe(0);
    expect(await marksOf(() => rows.complete(0, PAID))).toBe(1);
    await target.fold();
    expect(await enrollmentsOf(rows)).toEqual([1, 1, 1]);
  });

  it('counts other sites while the quarter of one takes too long, and that one afterwards', async () => {
    const [slow, other] = [await AnalyticsRows.open(target.database), await AnalyticsRows.open(target.database)];
    await target.fold();
    await target.database.query(`
      create function take_too_long() returns trigger language plpgsql as $$
      begin
        raise exception 'canceled' using errcode = 'query_canceled';
      end $$;
      create trigger take_too_long before insert on analytics_enrollments for each row
        when (new.site_id = '${slow.site_id}') execute function take_too_long()`);
    const counted = async (rows: AnalyticsRows) => (await enrollmentsOf(rows)).length > 0;
    try {
      await slow.enroll(0, PAID);
      await slow.enroll(0, PAID);
      await other.enroll(0, PAID);
      const marked = new Date();
      const errors: string[] = [];
      for (let turn = 0; turn < 100 && !(await counted(other)); turn += 1) {
        await target.follow().catch(({ message }: Error) => errors.push(message));
      }
      expect([await counted(other), await counted(slow)]).toEqual([true, false]);
      for (const error of errors) expect(error).toContain(`${slow.site_id} at 2025-11-05T10:00:00.000Z`);
      const { as_of } = await target.read(slow.site_id, 'revenue', NOVEMBER);
      expect(Date.parse(as_of)).toBeLessThanOrEqual(marked.getTime());
    } finally {
      await target.database.query('drop function take_too_long cascade');
    }
    await target.fold();
    expect(await enrollmentsOf(slow)).toEqual([2, 0, 0]);
  });

  it('keeps the sites apart', async () => {
    const [one, other] = [await AnalyticsRows.open(target.database), await AnalyticsRows.open(target.database)];
    await one.order(PAID, 'TWD', 100);
    await target.fold();
    expect([await salesOf(one), await salesOf(other)]).toMatchObject([[{ gross_minor: 100 }], []]);
  });
});

describe('the operator API', () => {
  const get = async (path: string, token?: string) =>
    target.api.send('GET', `/api/v1/analytics/${path}`, { token: token ?? (await target.api.token('analytics:read')) });

  it('counts an order on the day of its payment and refunds on theirs', async () => {
    const checkout = await Checkout.open(target.api);
    const item = { id: (await checkout.newPlan()).id };
    const lines = [{ item_type: 'course_plan', item }];
    const { order_id: id } = await checkout.record(
      checkout.order(await checkout.newStudent(), lines, { paid_at: '2025-12-05T23:30:00.000Z' }),
    );
    await checkout.refund(id, { amount_minor: 300, refunded_at: '2025-12-07T15:59:59.999Z' });
    await checkout.refund(id, { amount_minor: 700, refunded_at: '2025-12-07T16:00:00.000Z' });
    await checkout.close();
    await target.fold();
    const read = async (timezone: string) => {
      const { body } = await get(`revenue?from=2025-12-05&to=2025-12-08&timezone=${timezone}`);
      const periods = body['periods'] as { sales: { net_minor: number }[] }[];
      return { body, net: periods.map(({ sales }) => sales.map((one) => one.net_minor)) };
    };
    const { body, net } = await read('Asia/Taipei');
    expect(net).toEqual([[], [1000], [-300], [-700]]);
    // Two names of a zone whose days begin at 18:30 of UTC.
    for (const name of ['Asia/Kolkata', 'Asia/Calcutta']) {
      const there = await read(name);
      expect([there.body['timezone'], there.net]).toEqual([name, [[], [1000], [-1000], []]]);
    }
    expect(body['totals']).toMatchObject({
      sales: [{ gross_minor: 1000, refunds_count: 2, refunded_minor: 1000, net_minor: 0 }],
    });
  });

  it('takes the time zone of the school, and UTC before it has one', async () => {
    const timezones = async (): Promise<unknown> => (await get('overview')).body['timezone'];
    expect(await timezones()).toBe('UTC');
    await target.api.send('PATCH', '/api/v1/school', { body: { timezone: 'Asia/Taipei' } });
    expect(await timezones()).toBe('Asia/Taipei');
  });

  it.each(Object.keys(REPORTS))('shows the report %s to owners and admins with the scope', async (name) => {
    const shown = await get(name);
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await get(name, await target.api.token('courses:read'))).body['code']).toBe('insufficient_scope');
    const { site_id } = target.api.sites[0];
    const outcomes = (['owner', 'admin', 'lecturer', 'teaching_assistant'] as const).map((role) =>
      target.read(site_id, name as ReportName, {}, [role]).then(
        () => 'shown',
        ({ code }: { code: string }) => code,
      ),
    );
    expect(await Promise.all(outcomes)).toEqual(['shown', 'shown', 'forbidden', 'forbidden']);
  });

  it.each([
    ['from=2025-12-02&to=2025-12-01', 'invalid_request', 'to'],
    ['from=2024-01-01&to=2025-01-01', 'invalid_request', 'to'],
    ['from=1999-12-31&to=2000-01-01', 'invalid_request', 'from'],
    ['from=2025-02-30', 'invalid_request', 'from'],
    ['timezone=Asia/Nowhere', 'invalid_request', 'timezone'],
    ['granularity=hour', 'invalid_request', 'granularity'],
    [`course_id=${randomUUID()}`, 'unknown_parameter', 'course_id'],
  ])('refuses %s', async (query, code, parameter) => {
    const { status, body } = await get(`revenue?${query}`);
    expect([status, body['code'], body['errors']]).toEqual([400, code, [expect.objectContaining({ parameter })]]);
  });
});

describe('the period before', () => {
  it.each([
    ['summer', '2025-03-08', '2025-03-09', '2025-03-10', '2025-03-11', '2025-03-08T05:00:00Z', '2025-03-10T04:00:00Z'],
    ['winter', '2025-11-01', '2025-11-02', '2025-11-03', '2025-11-04', '2025-11-01T04:00:00Z', '2025-11-03T05:00:00Z'],
  ])(
    'compares with as many days before, over a change to %s time',
    async (...[, first, last, from, to, begin, end]) => {
      const rows = await AnalyticsRows.open(target.database);
      const [begins, ends] = [new Date(begin), new Date(end)];
      await rows.order(new Date(begins.getTime() - 1), 'TWD', 1);
      await rows.order(begins, 'TWD', 10);
      await rows.order(new Date(ends.getTime() - 1), 'TWD', 100);
      await rows.order(ends, 'TWD', 1_000);
      await target.fold();
      const timezone = 'America/New_York';
      const compared = { from, to, timezone, compare: 'previous_period' } as const;
      const revenue = await target.read(rows.site_id, 'revenue', compared);
      expect(revenue.totals).toMatchObject({ sales: [{ gross_minor: 1_000 }] });
      expect(revenue).toMatchObject({
        previous: { from: first, to: last, totals: { sales: [{ orders_count: 2, gross_minor: 110 }] } },
      });
      for (const report of Object.keys(REPORTS) as ReportName[]) {
        const { totals } = await target.read(rows.site_id, report, { from: first, to: last, timezone });
        expect(await target.read(rows.site_id, report, compared)).toHaveProperty('previous.totals', totals);
        expect(await target.read(rows.site_id, report, { from, to, timezone })).not.toHaveProperty('previous');
      }
    },
  );
});

describe('get_analytics', () => {
  const call = (args: object, member?: { member_id: string; roles: Role[] }) =>
    toolCaller(target.api).call('get_analytics', args, { scopes: ['analytics:read'], ...(member && { member }) });

  it('shows each report of a month', async () => {
    for (const report of Object.keys(REPORTS)) {
      const { body } = await target.api.send(
        'GET',
        `/api/v1/analytics/${report}?granularity=month&compare=previous_period`,
        {
          token: await target.api.token('analytics:read'),
        },
      );
      expect(body).toHaveProperty('previous.totals');
      expect(await call({ report })).toEqual({ ...body, as_of: expect.any(String) });
      expect(await call({ report, compare: 'none' })).not.toHaveProperty('previous');
    }
  });

  it.each(Object.keys(REPORTS))('takes a course for the funnel alone: %s', async (report) => {
    expect(await call({ report, course_id: randomUUID() })).toMatchObject(
      report === 'funnel'
        ? { totals: { funnel: { enrolled_count: 0 } } }
        : { code: 'validation_failed', errors: [{ pointer: '/course_id' }], hint: expect.stringContaining('funnel') },
    );
  });

  it('refuses more periods than a model can read, and teachers', async () => {
    const days = { report: 'overview', granularity: 'day', from: '2025-10-01', to: '2025-12-01' };
    expect((await call(days))['periods']).toHaveLength(62);
    expect(await call({ ...days, to: '2025-12-02' })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/granularity' }],
    });
    const teacher = { member_id: randomUUID(), roles: ['lecturer' as const] };
    expect(await call({ report: 'revenue' }, teacher)).toMatchObject({ code: 'forbidden' });
  });
});
