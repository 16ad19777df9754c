import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Body, Controller, Get, HttpCode, Module, Param, ParseUUIDPipe, Post, Res } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { currentRequest, serviceEnvironment, startService, readConfiguration } from '../src/index.js';
import type { RunningService, ServiceConfiguration, ServiceDefinition } from '../src/index.js';
import { createLogger } from '../src/process/logger.js';

/** Emits `begin` when a request of `/things/end/slow` has reached its handler. */
export const slowRequests = new EventEmitter();

@Controller('things')
export class ThingsController {
  @Get(':id')
  get(@Param('id', ParseUUIDPipe) id: string): object {
    return { id };
  }

  @Post()
  @HttpCode(200)
  async echo(@Body() body: unknown): Promise<object> {
    // The context survives a later turn of the event loop.
    await sleep(1);
    return { body, request: currentRequest() };
  }

  @Get('links/:token/:uid')
  link(): object {
    return {};
  }

  @Get('end/outcome')
  outcome(): never {
    throw new ApiError('already_exists', 'A thing has this name.', {
      errors: [{ pointer: '/name', code: 'already_exists', detail: 'Taken.' }],
      headers: { 'x-own': 'yes' },
    });
  }

  @Get('end/unavailable')
  unavailable(): never {
    throw new ApiError('temporarily_unavailable', 'Later.', { retryAfter: 2.2 });
  }

  @Get('end/refused')
  refused(): never {
    throw Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
  }

  @Get('end/fault')
  fault(): never {
    throw new Error('the inside', { cause: new Error('the very inside') });
  }

  @Get('end/half')
  half(@Res() reply: FastifyReply): never {
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.write('half of ');
    throw new Error('in the middle');
  }

  @Get('end/slow')
  async slow(): Promise<object> {
    slowRequests.emit('begin');
    // Longer than the client of the test waits.
    await sleep(1_000);
    return { slow: true };
  }
}

export interface ServiceUnderTest extends RunningService {
  /** Every line of the log, newest last. */
  readonly lines: Record<string, unknown>[];
}

export interface UnderTestOptions {
  readonly env?: Record<string, string>;
  readonly controllers?: Type[];
  readonly imports?: NonNullable<Parameters<typeof Module>[0]['imports']>;
  readonly configure?: ServiceDefinition<ServiceConfiguration>['configure'];
}

class UnderTestModule {}

/** A service on free loopback ports, with a captured log. */
export async function startUnderTest(options: UnderTestOptions = {}): Promise<ServiceUnderTest> {
  const environment = z.object(serviceEnvironment);
  const config = readConfiguration(environment, {
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'debug',
    SHUTDOWN_DELAY_MS: '0',
    ...options.env,
  });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const definition: ServiceDefinition<ServiceConfiguration> = {
    name: 'under-test',
    environment,
    bodyLimit: 1_000,
    module: () => ({
      module: UnderTestModule,
      imports: options.imports ?? [],
      controllers: options.controllers ?? [ThingsController],
    }),
    ...(options.configure === undefined ? {} : { configure: options.configure }),
  };
  const logger = createLogger({ service: definition.name, level: config.LOG_LEVEL, destination });
  return { ...(await startService(definition, config, logger)), lines };
}

export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}
