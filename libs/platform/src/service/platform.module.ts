import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AllowedMethods } from '../http/allowed-methods.js';
import { HealthRegistry, measureReadiness } from '../telemetry/health.js';
import { Lifecycle } from '../process/lifecycle.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { ProblemFilter } from '../http/problem.filter.js';

export interface Platform {
  readonly health: HealthRegistry;
  readonly metrics: MetricsRegistry;
  readonly lifecycle: Lifecycle;
  readonly allowedMethods: AllowedMethods;
  /** Detail of 404 responses for unknown paths. */
  readonly notFoundDetail: string;
}

interface PlatformOptions {
  readonly notFoundHint?: string | undefined;
  /** `READINESS_TIMEOUT_MS` */
  readonly readinessTimeout?: number;
}

export function createPlatform(service: string, { notFoundHint, readinessTimeout }: PlatformOptions = {}): Platform {
  const nothing = 'There is nothing at this path.';
  const health = new HealthRegistry(readinessTimeout);
  const metrics = new MetricsRegistry(service);
  measureReadiness(health, metrics);
  return {
    notFoundDetail: notFoundHint === undefined ? nothing : `${nothing} ${notFoundHint}`,
    health,
    metrics,
    lifecycle: new Lifecycle(),
    allowedMethods: new AllowedMethods(),
  };
}

/** Provides `HealthRegistry`, `MetricsRegistry` and `Lifecycle` to every service, and the default exception filter. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(platform: Platform): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: HealthRegistry, useValue: platform.health },
        { provide: MetricsRegistry, useValue: platform.metrics },
        { provide: Lifecycle, useValue: platform.lifecycle },
        {
          provide: ProblemFilter,
          useFactory: () => new ProblemFilter(platform.allowedMethods, platform.notFoundDetail),
        },
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
      exports: [HealthRegistry, MetricsRegistry, Lifecycle, ProblemFilter],
    };
  }
}
