/** Every bound of this library in one place. Times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** Older servers ignore message and key lifetimes silently. */
  oldestServer: '2.11.0',
  connectTimeout: 2_000,
  /** Between two attempts to reach NATS. */
  reconnectWait: 250,
  reconnectJitter: 100,
  /** Two unanswered pings end a connection that hangs: after ten seconds at most. */
  pingInterval: 5_000,
  maxPingOut: 2,
  connectionDrain: 2_000,
  /** Between two attempts to open something that does not exist yet. */
  setupRetry: 500,
  setupRetryMax: 5_000,
  /** Before something that ended well is opened again. */
  restartWait: 50,
  jetStreamTimeout: 3_000,

  requestTimeout: 2_000,
  /** Until the server has said its own. */
  defaultMaxPayload: 1_024 * 1_024,
  /** Responders under way in one process; more wait, and beyond that a caller is told to come back. */
  handlersRunning: 64,
  requestsWaiting: 1_024,
  /** Room for headers in a message, of the server's `max_payload`. */
  headerRoom: 4_096,
  /** How long a stopping service waits for the answers under way. */
  handlerDrain: 5_000,

  relayBatch: 256,
  relayPoll: 500,
  /** While another replica holds the relay's lock. */
  relayHeldWait: 25,
  relayBackoff: 250,
  relayBackoffMax: 5_000,
  publishTimeout: 2_000,
  /** A relay's transaction ends after this, also when JetStream hangs. */
  publishBudget: 4_000,

  /**
   * Events in one transaction: of a reader that applies many with one statement, and of one that takes a step for each,
   * whose locks must not be held for long. A reader has as many in hand, in wait and on their way: three times this waits
   * for the consumer's `ackWait` when it is killed.
   */
  batchEvents: 128,
  batchSteps: 32,
  /** Of the bodies in one transaction. One event may be larger than what is left, but never than `eventBytes`. */
  batchBytes: 4 * 1_024 * 1_024,
  /** What is held is reported to the server as held so many times within `ackWait`. */
  holdsPerAckWait: 3,
  /** An event that was delivered more often is applied alone: what it was applied with must not suffer for it, or it for them. */
  deliveriesTogether: 3,
  /** After so many deliveries without any end the event itself is the suspect. */
  unfinishedDeliveries: 30,
  /** While the database is away: the event in hand is tried again, none is given up. */
  outageWait: 250,
  outageWaitMax: 5_000,
  /** Longer than events are kept, so that none of them can come back unknown. */
  inboxMaxAge: 31 * 24 * 3_600_000,
  inboxSweep: 10 * 60_000,
  inboxSweepBatch: 1_000,

  /** For one dead letter to be applied again. */
  replayTimeout: 10_000,

  /** Aggregates that `republish` reads, holds and sends in one transaction: at first, at least, and at most. */
  republishFirst: 32,
  republishLeast: 8,
  republishBatch: 256,
  /** It goes on when fewer events than these wait in the outbox, and fewer for each reader of them. */
  republishBacklog: 32,
  republishPoll: 20,
  /** A batch becomes smaller when the readers need longer for it, for that is how long news waits behind it. */
  republishTurn: 500,
  /** Between two lines that say which reader it waits for. */
  republishWait: 5_000,
  /** Less than PostgreSQL's `deadlock_timeout` (1 s): of two that wait for each other it gives way, and tries again. */
  republishLockWait: 500,
  republishAttempts: 20,
  republishRetry: 50,
  republishRetryMax: 2_000,
  /** Aggregates between two lines of progress. */
  republishReport: 10_000,

  /** Messages that a rebuild takes at once. */
  replayBatch: 256,

  bucketWait: 5_000,
  /** Values that a mirror reads at once. */
  bucketBatch: 64,
  /** Between two looks at a bucket whose changes are announced: for announcements that were lost. */
  bucketPoll: 2_000,
  /** While the replica of the stream that responds lags behind the leader. */
  bucketBehind: 50,
  /** Between two complete readings. */
  bucketReread: 5 * 60_000,
  /** The owners of a bucket that was created again have this time to fill it before mirrors drop what it lacks. */
  bucketRefill: 15_000,

  /** Two public keys of callers: the present one and the next one. */
  trustedKeys: 2,
  /** A signed call is refused when its deadline is further away: a signature must not be good for long. */
  signedCallAge: 60_000,
} as const;
