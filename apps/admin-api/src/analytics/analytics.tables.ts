import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AnalyticsRepository, Edges } from './analytics.repository.js';
import type { AnalyticsQuery } from './analytics.schema.js';
import { AnalyticsService } from './analytics.service.js';
import { attendanceOf, funnelOf } from './figures.policy.js';
import type { Naming, Range } from './periods.policy.js';
import { cohortTable, countTable, membershipTable, revenueTable } from './tables.policy.js';
import type { TableName, TableRow } from './tables.policy.js';

export type TableQuery = Omit<AnalyticsQuery, 'compare'>;

/** The figures of reports as tables: one row for each period, and each currency where amounts are. */
@Injectable()
export class AnalyticsTables {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly repository: AnalyticsRepository,
  ) {}

  /** @throws `forbidden`, and as `read` */
  range(caller: Caller, query: TableQuery, naming: Naming, tx?: EntityManager): Promise<Range> {
    return this.analytics.range(caller, query, naming, tx);
  }

  /** @throws `validation_failed` or `invalid_request` for a range that is empty or too long */
  async read(caller: Caller, name: TableName, query: TableQuery, naming: Naming): Promise<readonly TableRow[]> {
    const { edges: instants, periods, months, monthEdges } = await this.range(caller, query, naming);
    const edges = new Edges(instants);
    switch (name) {
      case 'revenue':
        return revenueTable(await this.repository.sales(caller, edges), periods);
      case 'funnel':
        return countTable(
          funnelOf(await this.repository.funnel(caller, edges, query.course_id), periods.length),
          periods,
        );
      case 'memberships':
        return membershipTable(await this.repository.memberships(caller, edges), periods);
      case 'cohorts':
        return cohortTable(await this.repository.cohorts(caller, monthEdges), months);
      case 'attendance':
        return countTable(attendanceOf(await this.repository.attendance(caller, edges), periods.length), periods);
    }
  }
}
