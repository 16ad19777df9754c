import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { ServiceConfiguration } from '../configuration/environment.js';
import { LogDestination } from '../telemetry/log-destination.js';
import { redact } from '../telemetry/redaction.js';
import { currentRequest } from '../telemetry/request-context.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly service: string;
  readonly level: ServiceConfiguration['LOG_LEVEL'];
  readonly destination?: DestinationStream;
}

/** JSON lines with `level`, `time`, `service`, and `request_id` and `trace_id` of the current work. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      mixin: requestIds,
      formatters: { level: (label) => ({ level: label }), log: (fields) => redact(fields) as Record<string, unknown> },
      // `formatters.log` has described errors already.
      serializers: { err: (value: unknown) => value },
    },
    options.destination ?? new LogDestination(1),
  );
}

function requestIds(): Record<string, string> {
  const request = currentRequest();
  if (request === undefined) return {};
  return request.traceId === undefined
    ? { request_id: request.requestId }
    : { request_id: request.requestId, trace_id: request.traceId };
}

/** Contexts in which Nest logs every module and route at startup. */
const CHATTY = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/**
 * The logger behind Nest's `Logger`: `new Logger(X.name).warn('message', { fields }, error)`. The first argument is the
 * message, an error or an object of fields; further objects are merged, an error becomes `err`, the context `context`.
 */
export class NestLogger implements LoggerService {
  readonly #pino: Logger;

  constructor(logger: Logger) {
    this.#pino = logger;
  }

  log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    this.#write(typeof context === 'string' && CHATTY.has(context) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    const fields: Record<string, unknown> = {};
    let words = merge(fields, message);
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    for (const item of context === undefined ? rest : rest.slice(0, -1)) {
      const more = merge(fields, item);
      if (more === undefined) continue;
      if (/\n\s+at /.test(more)) fields['stack'] = more;
      else words = words === undefined ? more : `${words} ${more}`;
    }
    if (context !== undefined) fields['context'] = context;
    this.#pino[level](fields, words);
  }
}

/** Merges errors and objects into the fields and returns the remaining text. */
function merge(fields: Record<string, unknown>, item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  if (item instanceof Error) {
    fields['err'] = item;
    return item.message;
  }
  if (typeof item === 'object') {
    Object.assign(fields, item);
    return undefined;
  }
  return typeof item === 'string' ? item : JSON.stringify(item);
}
