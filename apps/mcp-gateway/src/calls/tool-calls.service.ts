import { Injectable, Logger } from '@nestjs/common';
import { toolSubject } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { MetricsRegistry } from '@lyceum/platform';
import type { ListedTool } from '#src/catalogue/catalogue.policy.js';
import type { Exchange } from '#src/transport/exchange.js';
import { CallMetrics } from './call.metrics.js';
import { errorResult, toolResult } from './tool-result.policy.js';
import type { ToolResult } from './tool-result.policy.js';

/** How long the owning service has. */
const DEADLINE_MS = 10_000;

/** Calls to one service at one time: a slow service must not take the gateway's memory from the others. */
const BULKHEAD = 256;

/** Sends a call to the service that owns the tool, and turns whatever happens into a result. */
@Injectable()
export class ToolCalls {
  readonly #logger = new Logger(ToolCalls.name);
  readonly #running = new Map<string, number>();
  readonly #metrics: CallMetrics;

  constructor(
    private readonly requests: Requests,
    metrics: MetricsRegistry,
  ) {
    this.#metrics = new CallMetrics(metrics.registry);
  }

  async call(
    tool: ListedTool,
    input: Record<string, unknown>,
    { site, principal }: Pick<Exchange, 'site' | 'principal'>,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const running = this.#running.get(tool.service) ?? 0;
    if (running >= BULKHEAD) return unavailable('The service of this tool has too much to do');
    const done = this.#metrics.start(tool.name);
    this.#running.set(tool.service, running + 1);
    try {
      const { idempotency_key: key } = input;
      const reply = await this.requests.call(
        toolSubject(tool.service, tool.name),
        { arguments: input },
        {
          site_id: site.site_id,
          principal,
          timeoutMs: DEADLINE_MS,
          signal,
          ...(typeof key === 'string' ? { idempotencyKey: key } : {}),
        },
      );
      done(reply.ok ? 'ok' : reply.error.code);
      return toolResult(tool, reply);
    } catch (error) {
      done(signal.aborted ? 'cancelled' : error instanceof Outcome ? error.code : 'internal');
      // The client has gone away: nobody reads this.
      if (signal.aborted) return unavailable('The call was cancelled');
      return this.#failed(tool, error);
    } finally {
      this.#running.set(tool.service, (this.#running.get(tool.service) ?? 1) - 1);
    }
  }

  #failed(tool: ListedTool, error: unknown): ToolResult {
    if (error instanceof Outcome && error.code === 'temporarily_unavailable') return unavailable(error.message);
    if (error instanceof Outcome) return errorResult({ code: error.code, detail: error.message });
    this.#logger.error({ msg: `the call of ${tool.name} failed`, err: error });
    return errorResult({ code: 'internal', detail: 'Something went wrong on our side' });
  }
}

function unavailable(detail: string): ToolResult {
  return errorResult({
    code: 'temporarily_unavailable',
    detail,
    hint: 'Nothing is wrong with the call: try it again later.',
  });
}
