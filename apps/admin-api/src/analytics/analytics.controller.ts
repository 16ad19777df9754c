import { PERSONAL, Routes, objectResponse } from '@lyceum/rest';
import type { ApiResponse, Route, RouteRequest } from '@lyceum/rest';
import { Controller } from '@nestjs/common';
import { analyticsQuery, funnelQuery, REPORT_SCHEMAS } from './analytics.schema.js';
import type { AnalyticsQuery, ReportName } from './analytics.schema.js';
import { AnalyticsService } from './analytics.service.js';

/** The description of the tag. */
export const ANALYTICS_TAG =
  'Figures of the school by day, week or month of any time zone, for its owners and admins. Changes count within seconds.';

const ADMINISTRATORS = 'Needs the role owner or admin.';

const DESCRIPTIONS: Readonly<Record<ReportName, { readonly summary: string; readonly description: string }>> = {
  overview: {
    summary: 'Get an overview of the school',
    description: `Returns the sections of all other reports, without cohorts. ${ADMINISTRATORS}`,
  },
  revenue: {
    summary: 'Get the revenue',
    description:
      'Returns sales and refunds by currency. A sale counts on the day of its payment, a refund on the day of the ' +
      `refund, as far as it went. ${ADMINISTRATORS}`,
  },
  funnel: {
    summary: 'Get the funnel of enrollments',
    description:
      'Returns how many enrollments of each period have come to which step by now: enrolled, started (progress in a ' +
      `lecture was recorded), completed (every published lecture was). ${ADMINISTRATORS}`,
  },
  memberships: {
    summary: 'Get figures of memberships',
    description:
      'Counts subscriptions to recurring plans. A subscription is active from the start of its first paid period until ' +
      'it ends: trials do not count, days of grace after a missed payment do, and so do subscriptions that were started ' +
      'by hand. `mrr` is the sum of the prices of active subscriptions at the end of a period, each normalized to a ' +
      'month and rounded half up to a minor unit: the price when the subscription began, without discounts; a year has ' +
      '12 months and 365 days. `churn_rate` is the number of subscriptions that ended in the period, divided by the ' +
      'number of those that were active at its start. A cohort has the subscriptions whose first paid period starts in ' +
      `a month. A period that is not over has what is known so far. ${ADMINISTRATORS}`,
  },
  attendance: {
    summary: 'Get the attendance of events',
    description: `Counts the registrations of events by the start of the event. ${ADMINISTRATORS}`,
  },
};

const routeOf = (name: ReportName): Route => ({
  method: 'get',
  path: `/api/v1/analytics/${name}`,
  parameters: [],
  scopes: ['analytics:read'],
  query: name === 'funnel' ? funnelQuery : analyticsQuery,
  body: undefined,
  operation: {
    id: `getAnalytics${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    ...DESCRIPTIONS[name],
    responses: { 200: { description: 'The figures', schema: REPORT_SCHEMAS[name] } },
    problems: ['forbidden'],
  },
  respond: (controller: AnalyticsController, request) => controller.get(name, request),
});

@Routes((Object.keys(DESCRIPTIONS) as ReportName[]).map((name) => routeOf(name)))
@Controller()
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  async get(name: ReportName, { principal, query }: RouteRequest): Promise<ApiResponse> {
    const body = await this.analytics.report(principal, name, query as AnalyticsQuery, (parameter) => ({ parameter }));
    return objectResponse(body, PERSONAL);
  }
}
