import { eventually } from '@lyceum/testing';
import type { Figure, Proof } from '../long/proof.ts';
import { ruleGroups } from '../manifests/prometheus-rules.ts';
import { hasPrometheus, startPrometheus } from '../observability/prometheus.ts';
import { FaultStack } from './fault-stack.ts';
import { quickRules } from './quick-rules.ts';
import { FULL_DISK_JOB, RunbookWalks, type Walk } from './runbook-walks.ts';

const LIMIT_MS = 180_000;
/** Alerts that no walk raises: their faults need a replica of one role alone. */
const NOT_WALKED = ['EventsNotMoving', 'JobsNotMoving', 'WebhooksNotMoving', 'ErrorBudgetBurnsSlowly'];

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
        return [
          ...figures,
          { title: 'alerts without a walk', value: missing(walks.all).length, unit: 'alerts', at_most: 0 },
        ];
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

function missing(walks: readonly Walk[]): string[] {
  const known = new Set([...NOT_WALKED, ...walks.flatMap(({ alerts }) => alerts).map((alert) => alert.split('{')[0]!)]);
  return ruleGroups()
    .flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []))
    .filter((alert) => !known.has(alert));
}
