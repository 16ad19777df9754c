import type { Role } from '@lyceum/contracts';
import pg from 'pg';
import { AnalyticsService } from '#src/analytics/analytics.service.js';
import { AnalyticsTables } from '#src/analytics/analytics.tables.js';
import type { ReportName } from '#src/analytics/analytics.schema.js';
import { RollupRepository } from '#src/analytics/rollup.repository.js';
import { RollupService } from '#src/analytics/rollup.service.js';
import type { TableName } from '#src/analytics/tables.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

export interface Report {
  readonly as_of: string;
  readonly totals: Readonly<Record<string, unknown>>;
  readonly periods: readonly { readonly from: string; readonly to: string }[];
  readonly previous?: { readonly totals: unknown };
  readonly cohorts?: unknown;
}

/** A running service, its rollups and its database. */
export class AnalyticsTarget {
  readonly #rollups: RollupRepository;
  readonly #analytics: AnalyticsService;

  private constructor(
    readonly api: TestApi,
    readonly database: pg.Client,
  ) {
    this.#rollups = api.service.app.get(RollupRepository, { strict: false });
    this.#analytics = api.service.app.get(AnalyticsService, { strict: false });
  }

  static async open(): Promise<AnalyticsTarget> {
    const api = await startAdminApi();
    const database = new pg.Client({ connectionString: api.databaseUrl });
    await database.connect();
    return new AnalyticsTarget(api, database);
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.api.stop();
  }

  /** Counts everything that is marked. */
  async fold(): Promise<void> {
    while ((await this.#rollups.fold(1000)) !== 0);
  }

  /** One turn of the task of the service. */
  follow(): Promise<boolean> {
    return this.api.service.app.get(RollupService, { strict: false }).follow();
  }

  rebuild(): Promise<{ readonly quarters: number }> {
    return this.api.service.app.get(RollupService, { strict: false }).rebuild();
  }

  /** Reads a table of any site. */
  table(site_id: string, name: TableName, query: object): Promise<readonly object[]> {
    const tables = this.api.service.app.get(AnalyticsTables, { strict: false });
    return tables.read({ site_id }, name, { granularity: 'day', ...query }, (filter) => ({ pointer: `/${filter}` }));
  }

  /** Reads a report of any site. */
  async read(site_id: string, name: ReportName, query: object, roles?: Role[]): Promise<Report> {
    const asked = { granularity: 'day', compare: 'none', ...query } as const;
    const caller = { site_id, ...(roles && { roles }) };
    return (await this.#analytics.report(caller, name, asked, (parameter) => ({ parameter }))) as Report;
  }
}
