/** Replicas: spread, rollout, disruption budgets and autoscalers. */
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { selects, servers, titleOf, workload } from '../objects.ts';
import type { KubernetesObject, Manifests, Workload } from '../objects.ts';
import type { Rule } from './rule.ts';

interface ScaledObject {
  spec: {
    scaleTargetRef: { kind?: string; name: string };
    minReplicaCount?: number;
    maxReplicaCount?: number;
    triggers?: { type: string; metricType?: string; metadata: Record<string, string> }[];
  };
}

/** The part of a core at which a replica more is useful (docs/operate/capacity.md). */
const CORES = '700m';

const deployment = (m: Manifests, name: string) => m.get<IDeployment>('Deployment', name);
const budget = (m: Manifests) => m.get<IPodDisruptionBudget>('PodDisruptionBudget', 'auth');
const budgets = (m: Manifests) => m.of<IPodDisruptionBudget>('PodDisruptionBudget');
const autoscaler = (m: Manifests) => m.get<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler', 'auth');

/** The autoscalers with their targets and bounds, of both kinds. */
export function scalers(m: Manifests) {
  const horizontal = m.of<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler').map((object) => ({
    title: titleOf(object),
    kind: object.spec?.scaleTargetRef.kind ?? '',
    target: object.spec?.scaleTargetRef.name ?? '',
    min: object.spec?.minReplicas ?? 1,
    max: object.spec?.maxReplicas ?? 0,
  }));
  const lag = m.of<ScaledObject>('ScaledObject').map((object) => ({
    title: titleOf(object),
    kind: object.spec.scaleTargetRef.kind ?? 'Deployment',
    target: object.spec.scaleTargetRef.name,
    min: object.spec.minReplicaCount ?? 0,
    max: object.spec.maxReplicaCount ?? 100,
  }));
  return [...horizontal, ...lag];
}

const replicasOf = (m: Manifests, { kind, name }: Workload): number | undefined =>
  m.get<{ spec: { replicas?: number } }>(kind, name).spec.replicas;

const least = (m: Manifests, one: Workload): number =>
  scalers(m).find(({ target }) => target === one.name)?.min ?? replicasOf(m, one) ?? 1;

const budgetsOf = (m: Manifests, { labels }: Workload) =>
  budgets(m).filter(({ spec }) => selects(spec?.selector ?? {}, labels));

const titles = (list: readonly (KubernetesObject | Workload)[]): string[] =>
  list.map((one) => ('title' in one ? one.title : titleOf(one)));

export const AVAILABILITY_RULES: readonly Rule[] = [
  {
    id: 'A01',
    fault: 'pods that are not spread over zones and hosts by a selector of their own',
    find: (m) =>
      titles(
        servers(m).filter(({ pod, labels }) => {
          const own = (pod.topologySpreadConstraints ?? []).filter(({ labelSelector }) =>
            selects(labelSelector ?? {}, labels),
          );
          const keys = own.map(({ topologyKey }) => topologyKey);
          return !keys.includes('topology.kubernetes.io/zone') || !keys.includes('kubernetes.io/hostname');
        }),
      ),
    plant: (m) =>
      void Object.assign(workload(m, 'Deployment', 'auth').pod.topologySpreadConstraints?.[0]?.labelSelector ?? {}, {
        matchLabels: { 'app.kubernetes.io/name': 'admin-api' },
      }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A01-revision',
    fault: 'spreads that count the pods of other applications or releases',
    find: (m) =>
      titles(
        servers(m).filter(({ kind, pod }) =>
          (pod.topologySpreadConstraints ?? []).some(({ matchLabelKeys = [], labelSelector }) => {
            const named = labelSelector?.matchLabels?.['app.kubernetes.io/name'] !== undefined;
            const revision = kind === 'StatefulSet' ? 'controller-revision-hash' : 'pod-template-hash';
            return !matchLabelKeys.includes(revision) || (!named && !matchLabelKeys.includes('app.kubernetes.io/name'));
          }),
        ),
      ),
    plant: (m) => void delete workload(m, 'Deployment', 'auth').pod.topologySpreadConstraints?.[0]?.matchLabelKeys,
    spoils: 'Deployment/auth',
  },
  {
    id: 'A02',
    fault: 'rollouts that take pods away first',
    find: (m) =>
      titles(m.of<IDeployment>('Deployment').filter(({ spec }) => spec?.strategy?.rollingUpdate?.maxUnavailable !== 0)),
    plant: (m) => void Object.assign(deployment(m, 'auth').spec?.strategy?.rollingUpdate ?? {}, { maxUnavailable: 1 }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A03',
    fault: 'pods without exactly one disruption budget',
    find: (m) => titles(servers(m).filter((one) => budgetsOf(m, one).length !== 1)),
    plant: (m) => m.without('PodDisruptionBudget', 'auth'),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A03-bounds',
    fault: 'disruption budgets without exactly one bound',
    find: (m) =>
      titles(
        budgets(m).filter(({ spec }) => (spec?.minAvailable === undefined) === (spec?.maxUnavailable === undefined)),
      ),
    plant: (m) => void Object.assign(budget(m).spec ?? {}, { minAvailable: 1 }),
    spoils: 'PodDisruptionBudget/auth',
  },
  {
    id: 'A04',
    fault: 'disruption budgets that protect pods that are not ready',
    find: (m) => titles(budgets(m).filter(({ spec }) => spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow')),
    plant: (m) => void delete budget(m).spec?.unhealthyPodEvictionPolicy,
    spoils: 'PodDisruptionBudget/auth',
  },
  {
    id: 'A05',
    fault: 'disruption budgets that block the drain of a node',
    find: (m) =>
      titles(
        servers(m).filter((one) =>
          budgetsOf(m, one).some(({ spec }) =>
            spec?.minAvailable === undefined
              ? Number(spec?.maxUnavailable) < 1
              : Number(spec.minAvailable) >= least(m, one),
          ),
        ),
      ),
    plant: (m) => void Object.assign(budget(m).spec ?? {}, { maxUnavailable: 0 }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A06',
    fault: 'Deployments with two autoscalers, or without one and without replicas',
    find: (m) =>
      titles(
        m.of<IDeployment>('Deployment').filter(({ metadata, spec }) => {
          const own = scalers(m).filter(({ target }) => target === metadata.name);
          // Without KEDA a fixed number of replicas reads events and runs jobs.
          const fixed = metadata.labels?.['app.kubernetes.io/component'] !== 'http' && spec?.replicas !== undefined;
          return own.length !== 1 && !(own.length === 0 && fixed);
        }),
      ),
    plant: (m) => void Object.assign(autoscaler(m).spec?.scaleTargetRef ?? {}, { name: 'admin-api' }),
    spoils: 'Deployment/admin-api',
  },
  {
    id: 'A07',
    fault: 'a single replica',
    dev: false,
    find: (m) => titles(servers(m).filter((one) => least(m, one) < 2)),
    plant: (m) => void Object.assign(autoscaler(m).spec ?? {}, { minReplicas: 1 }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A08',
    fault: 'autoscalers without room',
    find: (m) =>
      scalers(m)
        .filter(({ min, max }) => max <= min)
        .map(({ title }) => title),
    plant: (m) => void Object.assign(autoscaler(m).spec ?? {}, { maxReplicas: 3 }),
    spoils: 'HorizontalPodAutoscaler/auth',
  },
  {
    id: 'A09',
    fault: 'replicas beside an autoscaler, which each release would reset',
    find: (m) =>
      titles(
        servers(m).filter(
          (one) => replicasOf(m, one) !== undefined && scalers(m).some(({ target }) => target === one.name),
        ),
      ),
    plant: (m) => void Object.assign(deployment(m, 'auth').spec ?? {}, { replicas: 2 }),
    spoils: 'Deployment/auth',
  },
  {
    id: 'A10',
    fault: 'autoscalers by a share of the request, which is no share of a core',
    find: (m) => [
      ...titles(
        m
          .of<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler')
          .filter(({ spec }) => spec?.metrics?.some(({ resource }) => resource?.target.averageValue !== CORES)),
      ),
      ...titles(
        m
          .of<ScaledObject>('ScaledObject')
          .filter(({ spec }) =>
            spec.triggers?.some(
              ({ type, metricType, metadata }) =>
                type === 'cpu' && (metricType !== 'AverageValue' || metadata['value'] !== CORES),
            ),
          ),
      ),
    ],
    plant: (m) =>
      void Object.assign(autoscaler(m).spec?.metrics?.[0]?.resource?.target ?? {}, {
        type: 'Utilization',
        averageUtilization: 70,
        averageValue: undefined,
      }),
    spoils: 'HorizontalPodAutoscaler/auth',
  },
  {
    id: 'A11',
    fault: 'rollouts that fail while their migration may run',
    find: (m) => {
      const migrations = m.of<IJob>('Job').map(({ spec }) => spec?.activeDeadlineSeconds ?? Infinity);
      const longest = Math.max(...migrations);
      return titles(
        m.of<IDeployment>('Deployment').filter(({ spec }) => !((spec?.progressDeadlineSeconds ?? 600) > longest)),
      );
    },
    plant: (m) => void Object.assign(deployment(m, 'auth').spec ?? {}, { progressDeadlineSeconds: 300 }),
    spoils: 'Deployment/auth',
  },
];
