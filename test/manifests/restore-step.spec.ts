import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IService } from 'kubernetes-models/v1/Service';
import { ROOT } from './generated.ts';
import { readGolden, selects, titleOf } from './objects.ts';
import type { Selector } from './objects.ts';
import { stepLabels } from './rules/references.ts';

const PAGE = readFileSync(join(ROOT, 'docs/operate/restore.md'), 'utf8');
const prod = readGolden('prod');
const withJq = spawnSync('jq', ['--version']).status === 0 ? it : it.skip;

/** The Job that the function `step` of the page creates of a Deployment of prod. */
function jobOf(deployment: string, ...command: string[]): IJob {
  const code = /^ *step\(\) \{\n.*?^ *\}$/ms.exec(PAGE)?.[0] ?? '';
  const kubectl = 'kubectl() { if [ "$3" = get ]; then echo "$DEPLOYMENT"; else cat; fi; }';
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `${kubectl}\n${code}\nstep "$@"`, 'step', deployment, ...command],
    {
      encoding: 'utf8',
      env: { ...process.env, DEPLOYMENT: JSON.stringify(prod.get('Deployment', deployment)) },
    },
  );
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as IJob;
}

/** The names of the policies that let these pods out to others, and of those that let them in there. */
function waysTo(from: Record<string, string>, to: Record<string, string>): { out: string[]; in: string[] } {
  const policies = prod.of<INetworkPolicy>('NetworkPolicy');
  const ofPods = (pods: Record<string, string>) =>
    policies.filter(({ spec }) => selects(spec?.podSelector ?? {}, pods));
  const leads = (peers: readonly { podSelector?: object }[], pods: Record<string, string>): boolean =>
    peers.some(({ podSelector }) => podSelector !== undefined && selects(podSelector, pods));
  return {
    out: ofPods(from)
      .filter(({ spec }) => (spec?.egress ?? []).some((one) => leads(one.to ?? [], to)))
      .map(({ metadata }) => metadata.name),
    in: ofPods(to)
      .filter(({ spec }) => (spec?.ingress ?? []).some((one) => leads(one.from ?? [], from)))
      .map(({ metadata }) => metadata.name),
  };
}

const DEPLOYMENTS = {
  auth: ['auth'],
  'admin-api': ['admin-api', 'admin-api-jobs'],
  'member-api': ['member-api', 'member-api-consumers'],
};
const labelsOf = ({ spec }: IJob) => (spec?.template.metadata?.labels ?? {}) as Record<string, string>;

describe('the Job of `step` in docs/operate/restore.md', () => {
  withJq('runs the command in a pod of the service without probes, and is deleted an hour after its end', () => {
    const { metadata, spec } = jobOf('member-api-consumers', 'rebuild', 'all');
    const [container] = spec?.template.spec?.containers ?? [];
    expect(container).toMatchObject({ args: ['rebuild', 'all'], image: expect.stringContaining('lyceum-member-api') });
    expect(Object.keys(container!).filter((name) => /Probe$|^lifecycle$/.test(name))).toEqual([]);
    expect(spec).toMatchObject({ backoffLimit: 0, ttlSecondsAfterFinished: 3_600 });
    // A release deletes the Jobs with the label part-of.
    expect(metadata?.labels).toEqual({ 'app.kubernetes.io/component': 'step' });
  });

  withJq('is no endpoint of a Service, and no disruption budget or Deployment counts its pod', () => {
    const selectors = [
      ...prod.of<IPodDisruptionBudget>('PodDisruptionBudget').map((one) => [one, one.spec?.selector ?? {}] as const),
      ...prod.of<IService>('Service').map((one) => [one, { matchLabels: one.spec?.selector ?? {} }] as const),
      ...prod.of<{ spec: { selector: Selector } }>('Deployment').map((one) => [one, one.spec.selector] as const),
    ];
    expect(selectors.length).toBeGreaterThan(15);
    for (const deployment of Object.values(DEPLOYMENTS).flat()) {
      const labels = labelsOf(jobOf(deployment, 'raise-epoch'));
      const selecting = selectors.filter(([, one]) => selects(one as Selector, labels));
      expect(selecting.map(([one]) => `${titleOf(one)} selects ${deployment}`)).toEqual([]);
    }
  });

  withJq('reaches the database of the service, before and after a restore, and NATS', () => {
    const nats = { 'app.kubernetes.io/name': 'nats', 'app.kubernetes.io/component': 'server' };
    for (const [service, deployments] of Object.entries(DEPLOYMENTS)) {
      for (const deployment of deployments) {
        const labels = labelsOf(jobOf(deployment, 'rebuild', 'all'));
        expect(labels).toEqual(stepLabels(service));
        for (const database of [`${service}-db`, `${service}-db-restored`]) {
          const ways = waysTo(labels, { 'cnpg.io/cluster': database });
          expect(ways).toEqual({ out: [`${service}-to-database`], in: [`${service}-db`] });
        }
        expect(waysTo(labels, nats)).toEqual({ out: ['steps'], in: ['nats'] });
      }
    }
  });
});
