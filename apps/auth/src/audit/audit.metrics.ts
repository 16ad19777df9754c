import { Injectable } from '@nestjs/common';
import { MetricsRegistry } from '@lyceum/platform';
import prom from 'prom-client';
import { REVOCATION_REASONS } from './audit-entry.js';
import type { AuditEntry, CountedEvent } from './audit-entry.js';

const TOKEN_COUNTERS = {
  'token.issued': ['auth_tokens_issued_total', 'Code exchanges that gave tokens'],
  'token.refreshed': ['auth_tokens_refreshed_total', 'Refreshes that gave tokens'],
  'token.refresh_repeated': ['auth_refresh_repeats_total', 'Refresh tokens repeated within the window, and answered'],
} as const satisfies Partial<Record<CountedEvent, readonly [name: string, help: string]>>;

/** Counters of token events. Every series exists from the start, at 0. */
@Injectable()
export class AuditMetrics {
  readonly #tokens: ReadonlyMap<CountedEvent, prom.Counter>;
  readonly #refreshReplays: prom.Counter;
  readonly #codeReplays: prom.Counter;
  readonly #revocations: prom.Counter<'reason'>;

  constructor({ registry }: MetricsRegistry) {
    const registers = [registry];
    const counter = (name: string, help: string): prom.Counter => new prom.Counter({ name, help, registers });
    const events = Object.entries(TOKEN_COUNTERS) as [CountedEvent, readonly [string, string]][];
    this.#tokens = new Map(events.map(([event, [name, help]]) => [event, counter(name, help)]));
    this.#refreshReplays = counter('auth_refresh_replays_total', 'Families ended because a replaced token came back');
    this.#codeReplays = counter('auth_code_replays_total', 'Grants ended because their code was used twice');
    this.#revocations = new prom.Counter({
      name: 'auth_revocations_total',
      help: 'Grants that were ended, by cause',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of REVOCATION_REASONS) this.#revocations.inc({ reason }, 0);
  }

  recorded({ event, details }: Pick<AuditEntry, 'details'> & { readonly event: CountedEvent }): void {
    this.#tokens.get(event)?.inc();
    if (event !== 'grants.revoked') return;
    const reason = REVOCATION_REASONS.find((known) => known === details?.['reason']);
    if (reason === undefined) return;
    this.#revocations.inc({ reason });
    if (reason === 'refresh_token_reused') this.#refreshReplays.inc();
    if (reason === 'code_replayed') this.#codeReplays.inc();
  }
}
