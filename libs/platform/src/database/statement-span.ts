import { SpanStatusCode } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import { isRecording, startClientSpan } from '../telemetry/tracing.js';

/** Characters of a statement in a span. Statements have their values as parameters, which spans do not contain. */
const TEXT_LENGTH = 2_000;
/** Statements that take at least this time have their text in the span. */
const SLOW_MS = 10;
const OPERATION = /^\s*(?:--.*\n\s*)*([a-z]+)/i;
/** The first table of a statement. */
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)/i;

interface StatementSpan {
  readonly span: Span;
  readonly text: string;
  readonly startedAt: number;
}

/**
 * A client span for a statement (OpenTelemetry semantic conventions for databases). Undefined unless the running work
 * belongs to a sampled trace, so that nothing is parsed or allocated then.
 */
export function startStatementSpan(query: unknown): StatementSpan | undefined {
  if (!isRecording()) return undefined;
  const text = textOf(query);
  const operation = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const table = TABLE.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table}`;
  const span = startClientSpan(summary, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.summary': summary,
  });
  return span && { span, text, startedAt: performance.now() };
}

/**
 * Ends the span with the result. A slow or failed statement has its text, because a text costs as much as the rest of a
 * span. An error is named by its SQLSTATE alone, because its message may contain values.
 */
export function endStatementSpan({ span, text, startedAt }: StatementSpan, result: Promise<unknown>): void {
  const addText = () => span.setAttribute('db.query.text', text.slice(0, TEXT_LENGTH));
  result.then(
    () => {
      if (performance.now() - startedAt >= SLOW_MS) addText();
      span.end();
    },
    (error: unknown) => {
      addText();
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
