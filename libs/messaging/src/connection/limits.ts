/** Longest time limit of a tool call. */
const CALL_TIMEOUT_MAX = 60_000;
/** Time by which the clock of an owner may be behind that of the gateway. */
const CLOCK_SKEW = 10_000;

/** All limits of this library. Times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** Older servers ignore message and key lifetimes silently. */
  oldestServer: '2.11.0',
  connectTimeout: 2_000,
  /** Pause between two attempts to connect to NATS. */
  reconnectWait: 250,
  reconnectJitter: 100,
  /** Two unanswered pings close a dead connection after at most ten seconds. */
  pingInterval: 5_000,
  maxPingOut: 2,
  connectionDrain: 2_000,
  /** Pause between two attempts to open a resource that does not exist yet. */
  setupRetry: 500,
  setupRetryMax: 5_000,
  /** Pause before a normally ended resource is reopened. */
  restartWait: 50,
  jetStreamTimeout: 3_000,

  requestTimeout: 2_000,
  /** Default until the server has sent its `max_payload`. */
  defaultMaxPayload: 1_024 * 1_024,
  /** Concurrent handlers per process; more requests queue, and beyond that they fail with `temporarily_unavailable`. */
  handlersRunning: 64,
  requestsWaiting: 1_024,
  /** Room for headers within the server's `max_payload`. */
  headerRoom: 4_096,

  /** Pause between two checks for due erasures. */
  erasurePause: 10_000,
  /** Interval at which a pass of an erasure renews its lease of a minute. */
  erasureLeaseRenewal: 10_000,

  /** Rows of a deleted site, and blocks of a table without an index for sites, in one statement. */
  siteRows: 500,
  siteBlocks: 1_000,

  /** Rows that an export of a site reads at once, and bytes of a file in one of its lines. */
  exportRows: 500,
  exportBytes: 192 * 1_024,

  /** Messages of one statement: their values are encoded in one turn of the event loop. */
  outboxStatement: 250,

  relayBatch: 256,
  /** Aggregates whose publication begins in one turn of the event loop. */
  relayTurn: 32,
  /** At most 500 events of bulk work in a second: consumers apply them in their spare time. */
  bulkBatch: 40,
  bulkRest: 80,
  /** These events wait until none has been added for this time, but not longer than their patience. */
  bulkQuiet: 2_000,
  bulkPatience: 120_000,
  relayPoll: 500,
  /** Pause after a batch that emptied the outbox: events of the commits in it wait for the next batch. */
  relayRest: 20,
  /** While another replica holds the relay's lock. */
  relayHeldWait: 25,
  relayBackoff: 250,
  relayBackoffMax: 5_000,
  publishTimeout: 2_000,
  /** Limit of a relay's transaction, which also applies when JetStream hangs. */
  publishBudget: 4_000,

  /**
   * Events per transaction: for a consumer that applies a batch with one statement, and for one that applies events one
   * by one, whose locks must be short. A consumer has up to three times as many in progress, waiting and in transit,
   * which wait for `ackWait` when it is killed.
   */
  batchEvents: 128,
  batchSteps: 32,
  /** Size of the bodies in one transaction. A single event may exceed it, up to `eventBytes`. */
  batchBytes: 4 * 1_024 * 1_024,
  /** Number of progress reports to the server within `ackWait`. */
  holdsPerAckWait: 3,
  /** An event with more deliveries is applied alone, so that it and the others cannot make each other fail. */
  deliveriesTogether: 3,
  /** After this many unfinished deliveries the event itself is the suspect. */
  unfinishedDeliveries: 30,
  /** Retry delays while the database is unavailable; no event is discarded. */
  outageWait: 250,
  outageWaitMax: 5_000,
  /** Longer than the events' retention, so that no event can return unrecognized. */
  inboxMaxAge: 31 * 24 * 3_600_000,
  inboxSweep: 10 * 60_000,
  inboxSweepBatch: 1_000,

  /** Time limit of one dead letter's replay. */
  replayTimeout: 10_000,

  /** Aggregates that `republish` reads, locks and sends per transaction: initial, minimum and maximum. */
  republishFirst: 32,
  republishLeast: 8,
  republishBatch: 256,
  /** `republish` continues below this backlog in the outbox and in each consumer. */
  republishBacklog: 32,
  republishPoll: 20,
  /** Target duration of a batch: events behind it wait as long, so a slow consumer gets smaller batches. */
  republishTurn: 500,
  /** Pause between two progress lines that name the slow consumer. */
  republishWait: 5_000,
  /** Below PostgreSQL's `deadlock_timeout` (1 s): `republish` gives way in a deadlock and retries. */
  republishLockWait: 500,
  republishAttempts: 20,
  republishRetry: 50,
  republishRetryMax: 2_000,
  /** Aggregates between two lines of progress. */
  republishReport: 10_000,

  /** Messages per read of a rebuild. */
  replayBatch: 256,
  /** Times that a rebuild blocks the writers to find its consumers at rest, and the pause between two. */
  rebuildAttempts: 20,
  rebuildRetry: 50,

  bucketWait: 5_000,
  /** Values per read of a mirror. */
  bucketBatch: 64,
  /** Poll interval of a bucket, for lost announcements. */
  bucketPoll: 2_000,
  /** Pause while the responding replica lags behind the leader. */
  bucketBehind: 50,
  /** Interval of full reads. */
  bucketReread: 5 * 60_000,
  /** Time for the owners of a recreated bucket to refill it before mirrors drop missing entries. */
  bucketRefill: 15_000,

  /** Default of `SHARED_VALUE_TIMEOUT_MS`. */
  sharedValueTimeout: 1_000,

  /** Two public keys of callers: the current and the next one. */
  trustedKeys: 2,
  callTimeoutMax: CALL_TIMEOUT_MAX,
  /** Longest accepted lifetime of a signed call: a signature must expire soon. */
  signedCallAge: CALL_TIMEOUT_MAX + CLOCK_SKEW,
} as const;
