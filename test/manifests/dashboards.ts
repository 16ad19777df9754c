/** The dashboards of Grafana: one for each service, and one for what the services share. */
import { SERVICES } from '@lyceum/contracts';
import type { ServiceName } from '@lyceum/contracts';

export interface Panel {
  readonly title: string;
  /** A unit of Grafana. */
  readonly unit: 'reqps' | 'percentunit' | 's' | 'short' | 'bytes' | 'ops';
  /** Expressions by legend. */
  readonly queries: Readonly<Record<string, string>>;
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly rows: Readonly<Record<string, readonly Panel[]>>;
}

const HTTP = 'http_server_request_duration_seconds';
const SLOWEST = 10;

const rate = (selector: string): string => `rate(${selector}[$__rate_interval])`;
const sumOf = (labels: string, selector: string): string => `sum by (${labels}) (${rate(selector)})`;
const top = (expression: string): string => `topk(${SLOWEST}, ${expression})`;

function quantile(q: number, metric: string, matchers: string, ...labels: string[]): string {
  return `histogram_quantile(${q}, ${sumOf(['le', ...labels].join(', '), `${metric}_bucket{${matchers}}`)})`;
}

const quantiles = (metric: string, matchers: string): Panel['queries'] => ({
  p50: quantile(0.5, metric, matchers),
  p95: quantile(0.95, metric, matchers),
  p99: quantile(0.99, metric, matchers),
});

/** The share of events that fail; 0 while none does. */
function share(metric: string, matchers: string, failed: string): string {
  const all = `sum(${rate(`${metric}{${matchers}}`)})`;
  return `(sum(${rate(`${metric}{${matchers}, ${failed}}`)}) or 0 * ${all}) / ${all}`;
}

const red = (job: string): readonly Panel[] => [
  { title: 'Requests by status', unit: 'reqps', queries: { '{{status}}': sumOf('status', `${HTTP}_count{${job}}`) } },
  {
    title: 'Failed requests',
    unit: 'percentunit',
    queries: { '5xx': share('http_server_responses_total', job, 'class="5xx"') },
  },
  { title: 'Duration', unit: 's', queries: quantiles(HTTP, job) },
  {
    title: 'Requests by route',
    unit: 'reqps',
    queries: { '{{method}} {{route}}': top(sumOf('method, route', `${HTTP}_count{${job}}`)) },
  },
  {
    title: 'Slowest routes (p95)',
    unit: 's',
    queries: { '{{method}} {{route}}': top(quantile(0.95, HTTP, job, 'method', 'route')) },
  },
];

const saturation = (job: string): readonly Panel[] => [
  {
    title: 'Event loop delay (p99)',
    unit: 's',
    queries: { '{{instance}}': `max by (instance) (nodejs_eventloop_lag_p99_seconds{${job}})` },
  },
  {
    title: 'Processor',
    unit: 'short',
    queries: { '{{instance}}': sumOf('instance', `process_cpu_seconds_total{${job}}`) },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: {
      '{{instance}} resident': `sum by (instance) (process_resident_memory_bytes{${job}})`,
      '{{instance}} heap': `sum by (instance) (nodejs_heap_size_used_bytes{${job}})`,
    },
  },
  {
    title: 'Garbage collection',
    unit: 'percentunit',
    queries: { '{{instance}}': sumOf('instance', `nodejs_gc_duration_seconds_sum{${job}}`) },
  },
];

const database = (job: string): readonly Panel[] => [
  {
    title: 'Connections of the pool',
    unit: 'short',
    queries: { '{{state}}': `sum by (state) (database_pool_connections{${job}})` },
  },
  {
    title: 'Requests that wait for a connection',
    unit: 'short',
    queries: { average: `sum(${rate(`database_pool_wait_seconds_sum{${job}}`)})` },
  },
];

const tokens = (job: string): readonly Panel[] => [
  {
    title: 'Tokens by result',
    unit: 'ops',
    queries: { '{{verdict}}': sumOf('verdict', `token_verdicts_total{${job}}`) },
  },
  {
    title: 'Results from the cache',
    unit: 'percentunit',
    queries: {
      hits: `sum(${rate(`token_verdict_cache_hits_total{${job}}`)}) / sum(${rate(`token_verdicts_total{${job}}`)})`,
    },
  },
  { title: 'Introspection', unit: 's', queries: quantiles('token_introspection_duration_seconds', job) },
];

const responses = (job: string): readonly Panel[] => [
  {
    title: 'Requests over NATS',
    unit: 'reqps',
    queries: { '{{subject}}': top(sumOf('subject', `nats_answers_total{${job}}`)) },
  },
  {
    title: 'Failed requests over NATS',
    unit: 'percentunit',
    queries: { failed: share('nats_answers_total', job, 'outcome=~"internal|temporarily_unavailable|lost|refused"') },
  },
  {
    title: 'Slowest over NATS (p95)',
    unit: 's',
    queries: { '{{subject}}': top(quantile(0.95, 'nats_answer_duration_seconds', job, 'subject')) },
  },
];

const graphql: readonly Panel[] = [
  {
    title: 'Operations by outcome',
    unit: 'reqps',
    queries: { '{{outcome}}': sumOf('outcome', 'graphql_responses_total') },
  },
];

const tools: readonly Panel[] = [
  {
    title: 'Calls by tool',
    unit: 'reqps',
    queries: { '{{tool}}': top(sumOf('tool', 'tool_call_duration_seconds_count')) },
  },
  {
    title: 'Failed calls',
    unit: 'percentunit',
    queries: {
      failed: share('tool_calls_total', 'job="mcp-gateway"', 'outcome=~"internal|temporarily_unavailable"'),
    },
  },
  {
    title: 'Slowest tools (p95)',
    unit: 's',
    queries: { '{{tool}}': top(quantile(0.95, 'tool_call_duration_seconds', 'job="mcp-gateway"', 'tool')) },
  },
];

const issued: readonly Panel[] = [
  {
    title: 'Tokens',
    unit: 'ops',
    queries: {
      issued: `sum(${rate('auth_tokens_issued_total')})`,
      refreshed: `sum(${rate('auth_tokens_refreshed_total')})`,
    },
  },
  { title: 'Ended grants', unit: 'ops', queries: { '{{reason}}': sumOf('reason', 'auth_revocations_total') } },
  {
    title: 'Housekeeping behind',
    unit: 's',
    queries: { '{{table}}': 'max by (table) (auth_table_overdue_seconds)' },
  },
];

/** Rows of single services, after those that all services have. */
const OWN: Readonly<Record<ServiceName, (job: string) => Dashboard['rows']>> = {
  auth: (job) => ({ Database: database(job), Tokens: issued }),
  'admin-api': (job) => ({ Database: database(job), Tokens: tokens(job), 'Requests over NATS': responses(job) }),
  'member-api': (job) => ({
    Database: database(job),
    GraphQL: graphql,
    Tokens: tokens(job),
    'Requests over NATS': responses(job),
  }),
  'mcp-gateway': (job) => ({ Tools: tools, Tokens: tokens(job) }),
};

function ofService(name: ServiceName): Dashboard {
  const job = `job="${name}"`;
  return {
    uid: `lyceum-${name}`,
    title: name,
    rows: { Requests: red(job), ...OWN[name](job), Saturation: saturation(job) },
  };
}

const PLATFORM: Dashboard = {
  uid: 'lyceum-platform',
  title: 'platform',
  rows: {
    Objectives: [
      { title: 'Burn rate in five minutes', unit: 'short', queries: { '{{job}} {{slo}}': 'slo:burn_rate:5m' } },
      { title: 'Burn rate in an hour', unit: 'short', queries: { '{{job}} {{slo}}': 'slo:burn_rate:1h' } },
      { title: 'Burn rate in three days', unit: 'short', queries: { '{{job}} {{slo}}': 'slo:burn_rate:3d' } },
    ],
    Services: [
      {
        title: 'Replicas that respond',
        unit: 'short',
        queries: { '{{job}} {{component}}': `sum by (job, component) (up{job=~"${SERVICES.join('|')}"})` },
      },
      {
        title: 'Replicas that are ready',
        unit: 'short',
        queries: { '{{job}} {{component}}': 'sum by (job, component) (service_ready)' },
      },
    ],
    Messaging: [
      { title: 'NATS', unit: 'short', queries: { '{{job}}': 'min by (job) (nats_connected)' } },
      {
        title: 'Outbox: oldest message',
        unit: 's',
        queries: { '{{job}}': 'max by (job) (outbox_oldest_age_seconds)' },
      },
      { title: 'Outbox: messages', unit: 'short', queries: { '{{job}}': 'max by (job) (outbox_messages)' } },
      {
        title: 'Published',
        unit: 'ops',
        queries: { '{{job}} {{channel}}': sumOf('job, channel', 'outbox_published_total') },
      },
      {
        title: 'Missing in NATS',
        unit: 'short',
        queries: { '{{kind}} {{name}}': 'max by (kind, name) (messaging_resource_missing)' },
      },
    ],
    Consumers: [
      { title: 'Events that wait', unit: 'short', queries: { '{{consumer}}': 'max by (consumer) (events_pending)' } },
      {
        title: 'Age of the last event',
        unit: 's',
        queries: { '{{consumer}}': 'max by (consumer) (events_lag_seconds)' },
      },
      { title: 'Events by result', unit: 'ops', queries: { '{{result}}': sumOf('result', 'events_processed_total') } },
      {
        title: 'Failed reads',
        unit: 'ops',
        queries: { '{{consumer}}': sumOf('consumer', 'events_read_failures_total') },
      },
      {
        title: 'Delivered again',
        unit: 'ops',
        queries: { '{{consumer}}': sumOf('consumer', 'events_redelivered_total') },
      },
      { title: 'Dead letters', unit: 'short', queries: { '{{job}}': 'max by (job) (dead_letters)' } },
    ],
    Jobs: [
      { title: 'Due', unit: 'short', queries: { '{{job}} {{queue}}': 'max by (job, queue) (jobs_waiting)' } },
      {
        title: 'Oldest due job',
        unit: 's',
        queries: { '{{job}} {{queue}}': 'max by (job, queue) (jobs_oldest_seconds)' },
      },
      { title: 'Dead', unit: 'short', queries: { '{{job}} {{queue}}': 'max by (job, queue) (jobs_dead)' } },
      {
        title: 'Runs by result',
        unit: 'ops',
        queries: { '{{queue}} {{result}}': sumOf('queue, result', 'job_run_duration_seconds_count') },
      },
      { title: 'Late work', unit: 's', queries: { '{{work}}': 'max by (job, work) (periodic_work_overdue_seconds)' } },
    ],
    Files: [{ title: 'Deletions', unit: 'ops', queries: { '{{result}}': sumOf('result', 'file_deletions_total') } }],
    Webhooks: [
      { title: 'Due', unit: 'short', queries: { '{{lane}}': 'max by (lane) (webhook_deliveries_waiting)' } },
      {
        title: 'Oldest due delivery',
        unit: 's',
        queries: { '{{lane}}': 'max by (lane) (webhook_deliveries_oldest_seconds)' },
      },
      {
        title: 'Attempts by result',
        unit: 'ops',
        queries: { '{{result}}': sumOf('result', 'webhook_delivery_duration_seconds_count') },
      },
      {
        title: 'Duration of attempts',
        unit: 's',
        queries: quantiles('webhook_delivery_duration_seconds', 'job="admin-api"'),
      },
    ],
    Logs: [{ title: 'Dropped lines', unit: 'ops', queries: { '{{job}}': sumOf('job', 'log_lines_dropped_total') } }],
  },
};

export const DASHBOARDS: readonly Dashboard[] = [...SERVICES.map(ofService), PLATFORM];
