import { SpanStatusCode } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import { isRecording, startClientSpan } from '../telemetry/tracing.js';

/** Characters of a statement in a span. Statements have their values as parameters, which spans do not contain. */
const TEXT_LENGTH = 2_000;
const OPERATION = /^\s*(?:--.*\n\s*)*([a-z]+)/i;
/** The first table of a statement. */
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)/i;

/**
 * A client span for a statement (OpenTelemetry semantic conventions for databases). Undefined unless the running work
 * belongs to a sampled trace, so that nothing is parsed or allocated then.
 */
export function startStatementSpan(query: unknown): Span | undefined {
  if (!isRecording()) return undefined;
  const text = textOf(query);
  const operation = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = TABLE.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table}`;
  return startClientSpan(summary, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': summary,
    'db.query.text': text.slice(0, TEXT_LENGTH),
  });
}

/** Ends the span with the result. An error is named by its SQLSTATE alone, because its message may contain values. */
export function endStatementSpan(span: Span, result: Promise<unknown>): void {
  result.then(
    () => span.end(),
    (error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
        span.setAttribute('db.response.status_code', error.code);
      }
      span.end();
    },
  );
}

/** `query` is a text, or a configuration or cursor with one. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  if (typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string') {
    return query.text;
  }
  return '';
}
