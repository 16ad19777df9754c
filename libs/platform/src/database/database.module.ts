import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import prom from 'prom-client';
import { DataSource, EntityManager } from 'typeorm';
import { Database } from './database.js';
import type { DatabaseOptions } from './database-options.js';
import { HealthRegistry } from '../telemetry/health.js';
import type { WaitListener } from './measured-pool.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { Sql } from './sql.js';

/**
 * Provides `DataSource`, `EntityManager`, `Sql` and `Database` globally. The service is ready while the database
 * responds and no migration of this build is pending; it starts regardless.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: Database,
          inject: [HealthRegistry, MetricsRegistry],
          useFactory: async (health: HealthRegistry, metrics: MetricsRegistry) => {
            const database = await Database.open({ ...options, onWait: measureWaits(metrics) });
            health.add({ name: 'database', ready: () => database.check() });
            measurePool(database, metrics);
            return database;
          },
        },
        { provide: DataSource, inject: [Database], useFactory: (database: Database) => database.dataSource },
        { provide: EntityManager, inject: [DataSource], useFactory: (dataSource: DataSource) => dataSource.manager },
        Sql,
      ],
      exports: [Database, DataSource, EntityManager, Sql],
    };
  }
}

function measureWaits(metrics: MetricsRegistry): WaitListener {
  const waits = new prom.Histogram({
    name: 'database_pool_wait_seconds',
    help: 'Time that work waited for a connection of the pool; work that found an idle one is not counted',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2],
    registers: [metrics.registry],
  });
  return (seconds) => waits.observe(seconds);
}

function measurePool(database: Database, metrics: MetricsRegistry): void {
  new prom.Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { driver } = database.dataSource;
      const pool = 'master' in driver ? (driver.master as PoolCounts | undefined) : undefined;
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool ?? {};
      this.set({ state: 'used' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
}

interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}
