import prom from 'prom-client';
import type { MetricsRegistry } from './metrics.js';

interface Schedule {
  readonly name: string;
  /** 0 while no turn is late. */
  readonly overdueSeconds: number;
}

/** Returns a function that adds a schedule to the metric. The label is its name. */
export function measureSchedules({ registry }: MetricsRegistry): (schedule: Schedule) => void {
  const schedules: Schedule[] = [];
  new prom.Gauge({
    name: 'periodic_work_overdue_seconds',
    help: 'Time since a turn of the work should have succeeded; 0 while none is late',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      for (const { name, overdueSeconds } of schedules) this.set({ work: name }, overdueSeconds);
    },
  });
  return (schedule) => void schedules.push(schedule);
}
