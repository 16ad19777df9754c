import type { Caller } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AnalyticsTables } from '#src/analytics/analytics.tables.js';
import type { TableQuery } from '#src/analytics/analytics.tables.js';
import { TABLES } from '#src/analytics/tables.policy.js';
import type { TableName } from '#src/analytics/tables.policy.js';
import type { ExportFilters } from './export.schema.js';
import type { AtRequest, Source } from './export.source.js';

type AnalyticsCollection = `analytics_${TableName}`;

/** Cohorts are months. */
const FILTERS: Readonly<Record<TableName, readonly (keyof ExportFilters)[]>> = {
  revenue: ['from', 'to', 'granularity', 'timezone'],
  funnel: ['from', 'to', 'granularity', 'timezone', 'course_id'],
  memberships: ['from', 'to', 'granularity', 'timezone'],
  cohorts: ['from', 'to', 'timezone'],
  attendance: ['from', 'to', 'granularity', 'timezone'],
};

/** The figures of analytics, with a row for each period. A file has the range that its request named or meant. */
@Injectable()
export class AnalyticsSources {
  readonly sources: Readonly<Record<AnalyticsCollection, Source>>;

  constructor(private readonly tables: AnalyticsTables) {
    this.sources = Object.fromEntries(
      (Object.keys(TABLES) as TableName[]).map((name) => [`analytics_${name}`, this.#source(name)]),
    ) as Record<AnalyticsCollection, Source>;
  }

  #source(name: TableName): Source {
    return {
      forAdministrators: true,
      columns: TABLES[name],
      filters: Object.fromEntries(FILTERS[name].map((filter) => [filter, undefined])),
      atRequest: (caller, { filters }, tx) => this.#completed(caller, name, filters, tx),
      read: async (caller, { filters }) => ({
        rows: await this.tables.read(caller, name, queryOf(filters), pointerOf),
        show: (row) => row,
        next: null,
      }),
    };
  }

  async #completed(caller: Caller, name: TableName, filters: ExportFilters, tx: EntityManager): Promise<AtRequest> {
    const { from, to, timezone, granularity } = await this.tables.range(caller, queryOf(filters), pointerOf, tx);
    const known = { from, to, timezone, ...(FILTERS[name].includes('granularity') && { granularity }) };
    return { filters: { ...filters, ...known } };
  }
}

const pointerOf = (filter: string): { readonly pointer: string } => ({ pointer: `/filters/${filter}` });

function queryOf({ from, to, granularity, timezone, course_id }: ExportFilters): TableQuery {
  return {
    from: from ?? undefined,
    to: to ?? undefined,
    granularity: granularity ?? 'day',
    timezone: timezone ?? undefined,
    course_id: course_id ?? undefined,
  };
}
