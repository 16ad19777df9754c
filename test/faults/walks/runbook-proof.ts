import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '@lyceum/local';
import { eventually } from '@lyceum/testing';
import type { Figure, Proof } from '../../long/proof.ts';
import { ruleGroups } from '../../manifests/prometheus-rules.ts';
import { hasPrometheus, startPrometheus } from '../../observability/prometheus.ts';
import { FaultStack } from '../fault-stack.ts';
import { quickRules } from '../quick-rules.ts';
import { FULL_DISK_JOB, RunbookWalks } from './runbook-walks.ts';
import type { Walk } from './walk.ts';
import { notWalked } from './walked-rules.ts';

const LIMIT_MS = 180_000;
const RUNBOOKS = join(WORKSPACE, 'docs/runbooks');

type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

export const runbookProof: Proof = {
  name: 'runbooks',
  title: 'faults raise their alerts, and what the runbooks say ends them',
  obstacle: () => (hasPrometheus ? undefined : 'The program prometheus is not installed.'),
  run: async () => {
    const fault = await FaultStack.start();
    try {
      const walks = await RunbookWalks.of(fault);
      const services = fault.stack.services.map(({ name, managementUrl }) => [name, managementUrl] as const);
      const targets = { ...Object.fromEntries(services), [FULL_DISK_JOB]: walks.fullDiskUrl };
      const prometheus = await startPrometheus(targets, quickRules(ruleGroups()));
      try {
        const figures: Figure[] = [];
        for (const walk of walks.all) {
          figures.push(...(await walked(walk, prometheus)));
          await fault.checkIntact();
        }
        return [...figures, ...missing(walks.all)];
      } finally {
        await walks.end();
        await prometheus.stop();
      }
    } finally {
      await fault.stop();
    }
  },
};

/** Rejects when an alert does not fire, and when it does not end. */
async function walked({ alerts, fault, load, mend }: Walk, prometheus: Prometheus): Promise<Figure[]> {
  const firing = async (alert: string): Promise<boolean> => {
    const [name, labels = ''] = alert.replace('}', '').split('{');
    const selector = [`alertname="${name}"`, 'alertstate="firing"', ...(labels === '' ? [] : [labels])].join();
    return (await prometheus.seriesOf(`ALERTS{${selector}}`)) > 0;
  };
  const figures: Figure[] = [];
  /** Waits until each alert fires, or until none does. */
  const until = async (fires: boolean, title: string): Promise<void> => {
    const began = performance.now();
    const waiting = new Set(alerts);
    await eventually(
      async () => {
        await load?.();
        for (const alert of waiting) {
          if ((await firing(alert)) !== fires) continue;
          waiting.delete(alert);
          figures.push({ title: `${alert} ${title}`, value: (performance.now() - began) / 1_000, unit: 's' });
        }
        return [...waiting];
      },
      ({ length }) => length === 0,
      LIMIT_MS,
    );
  };
  process.stdout.write(`    ${alerts.join(', ')}\n`);
  await fault();
  await until(true, 'fires after the fault');
  await mend();
  await until(false, 'ends after the mending');
  return figures;
}

function missing(walks: readonly Walk[]): Figure[] {
  const rules = ruleGroups().flatMap((group) => group.rules);
  const walkedAlerts = walks.flatMap(({ alerts }) => alerts);
  const { alerts, runbooks } = notWalked(rules, readdirSync(RUNBOOKS), walkedAlerts);
  for (const name of [...alerts, ...runbooks]) process.stderr.write(`    not walked: ${name}\n`);
  return [
    { title: 'alerts without a walk', value: alerts.length, unit: 'alerts', at_most: 0 },
    { title: 'runbooks without a walk', value: runbooks.length, unit: 'runbooks', at_most: 0 },
  ];
}
