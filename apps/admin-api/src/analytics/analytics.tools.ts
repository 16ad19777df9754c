import { ApiError } from '@lyceum/errors';
import { READS, operatorOf } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { reportInput, reportOutput } from './analytics.schema.js';
import { AnalyticsService } from './analytics.service.js';
import type { Range } from './periods.policy.js';

/** Periods that a model gets: 60 KB have room for them. */
const MAX_PERIODS = 62;

@Injectable()
export class AnalyticsTools {
  constructor(private readonly analytics: AnalyticsService) {}

  @Tool({
    name: 'get_analytics',
    title: 'Get analytics',
    description:
      'Returns figures of the school by day, week or month, for owners and admins, with the totals of the period ' +
      'before: an overview, or one report of revenue, the course funnel, memberships or event attendance. Use it for ' +
      'sums and trends; list_orders has the single sales.',
    audience: 'operator',
    scopes: ['analytics:read'],
    input: reportInput,
    output: reportOutput,
    annotations: READS,
  })
  async get(call: ToolCall<z.output<typeof reportInput>>): Promise<object> {
    const { report, ...query } = call.input;
    if (report !== 'funnel' && query.course_id !== undefined) refuseCourse(report);
    return this.analytics.report(operatorOf(call), report, query, (member) => ({ pointer: `/${member}` }), requireFew);
  }
}

/** @throws `validation_failed` */
function refuseCourse(report: string): never {
  throw new ApiError('validation_failed', `The report ${report} has no figures of one course`, {
    errors: [{ pointer: '/course_id', code: 'invalid_value', detail: 'Only the report funnel takes a course' }],
    hint: 'Use the report funnel, or omit course_id',
  });
}

/** @throws `validation_failed` */
function requireFew({ periods, granularity }: Range): void {
  if (periods.length <= MAX_PERIODS) return;
  throw new ApiError('validation_failed', `The range has ${periods.length} periods`, {
    errors: [{ pointer: '/granularity', code: 'too_large', detail: `At most ${MAX_PERIODS} periods` }],
    hint: granularity === 'day' ? 'Ask by week or month, or for fewer days' : 'Ask for fewer days',
  });
}
