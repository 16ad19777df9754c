/** A row of a period, from 1. 0 is the time before the first one, to which only rows of memberships add. */
interface OfPeriod {
  readonly period: number;
}

export interface SalesRow extends OfPeriod {
  readonly currency: string;
  readonly orders_count: number;
  readonly gross_minor: number;
  readonly discount_minor: number;
  readonly tax_minor: number;
  readonly refunds_count: number;
  readonly refunded_minor: number;
}

export interface FunnelRow extends OfPeriod {
  readonly enrolled_count: number;
  readonly started_count: number;
  readonly completed_count: number;
}

export interface MembershipRow extends OfPeriod {
  readonly currency: string;
  readonly started_count: number;
  readonly started_minor: number;
  readonly ended_count: number;
  readonly ended_minor: number;
}

export interface CohortRow {
  /** Months, from 1. One more than the number of months: the subscription has not ended in them. */
  readonly started: number;
  readonly ended: number;
  readonly subscriptions_count: number;
}

export interface AttendanceRow extends OfPeriod {
  readonly events_count: number;
  readonly registered_count: number;
  readonly attended_count: number;
  readonly missed_count: number;
  readonly waitlisted_count: number;
  readonly canceled_count: number;
}
