import type { Sql, Statement } from '@lyceum/platform';
import type { SchoolService } from '#src/school/school.service.js';
import { AnalyticsRepository } from './analytics.repository.js';
import { REPORTS } from './analytics.schema.js';
import type { ReportName } from './analytics.schema.js';
import { AnalyticsService } from './analytics.service.js';

/** Names of the statements of a report. */
async function statementsOf(name: ReportName, compare: 'none' | 'previous_period'): Promise<string[]> {
  const names: string[] = [];
  const sql: Pick<Sql, 'query'> = {
    query: (statement: Statement) => {
      names.push(String(statement.name));
      return Promise.resolve([]);
    },
  };
  const schools: Pick<SchoolService, 'get'> = { get: () => Promise.reject(new Error('The range has a time zone')) };
  const service = new AnalyticsService(new AnalyticsRepository(sql as Sql), schools as SchoolService);
  const query = { from: '2026-11-02', to: '2026-11-03', granularity: 'day', timezone: 'UTC', compare } as const;
  await service.report({ site_id: 'a' }, name, query, (parameter) => ({ parameter }));
  return names.toSorted();
}

it.each(Object.keys(REPORTS) as ReportName[])(
  'reads a comparison of the report %s with as many statements',
  async (name) => {
    const alone = await statementsOf(name, 'none');
    expect(alone.length).toBeGreaterThanOrEqual(REPORTS[name].length + 1);
    expect(await statementsOf(name, 'previous_period')).toEqual(alone);
  },
);
