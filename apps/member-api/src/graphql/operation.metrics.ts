import { Injectable } from '@nestjs/common';
import { MetricsRegistry } from '@lyceum/platform';
import type { GraphQLFormattedError } from 'graphql';

/** The codes of failures on our side, the worst first. */
const FAILURES = ['INTERNAL', 'TEMPORARILY_UNAVAILABLE'] as const;

/** Responses of GraphQL by their worst error, because most errors have the status 200. */
@Injectable()
export class OperationMetrics {
  readonly #count: (outcome: string) => void;

  constructor(metrics: MetricsRegistry) {
    this.#count = metrics.counter(
      'graphql_responses_total',
      'Responses of GraphQL: ok, or the code of the worst error',
      'outcome',
      ['ok', ...FAILURES],
    );
  }

  responded(errors: readonly GraphQLFormattedError[] | undefined): void {
    this.#count(outcomeOf(errors));
  }

  /** A request whose processing ended with an error that no response of GraphQL contains. */
  failed(): void {
    this.#count('INTERNAL');
  }
}

/** `ok`, or one of the codes of the schema (`GraphqlCode`). */
function outcomeOf(errors: readonly GraphQLFormattedError[] = []): string {
  const codes = errors.map(({ extensions }) => {
    const code = extensions?.['code'];
    return typeof code === 'string' ? code : 'INTERNAL';
  });
  return FAILURES.find((code) => codes.includes(code)) ?? codes[0] ?? 'ok';
}
