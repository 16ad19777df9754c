/** The windows of subjects, shared by the replicas of a service. */
export abstract class RateWindows {
  /** Leases units of a window. A window that is over or missing begins now. */
  abstract lease(request: LeaseRequest): Promise<Lease>;
}

export interface LeaseRequest {
  readonly key: Buffer;
  /** Minimum of the lease. It is granted even beyond the limit while any unit is left. */
  readonly needed: number;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Lease {
  /** Leased units; 0 when the limit is reached. */
  readonly granted: number;
  /** Units leased by all replicas, including this lease. */
  readonly spent: number;
  /** Until the window ends. */
  readonly msLeft: number;
}
