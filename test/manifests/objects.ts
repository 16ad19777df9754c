import { readFileSync } from 'node:fs';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { parseAllDocuments } from 'yaml';
import { goldenFile } from './render.ts';
import type { Overlay } from './render.ts';

type Labels = Record<string, string>;

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
}

/** The rendered objects of an overlay. */
export class Manifests {
  constructor(readonly all: readonly KubernetesObject[]) {}

  /** All objects of a kind. `T` is its type in kubernetes-models. */
  of<T extends object>(kind: string): (T & KubernetesObject)[] {
    return this.all.filter((object) => object.kind === kind) as (T & KubernetesObject)[];
  }

  /** @throws Error if the object does not exist */
  get<T extends object>(kind: string, name: string): T & KubernetesObject {
    const found = this.of<T>(kind).find((object) => object.metadata.name === name);
    if (found === undefined) throw new Error(`${kind}/${name} does not exist`);
    return found;
  }

  has(kind: string, name: string | undefined): boolean {
    return this.of(kind).some(({ metadata }) => metadata.name === name);
  }

  without(kind: string, name: string): Manifests {
    this.get(kind, name);
    return new Manifests(this.all.filter((object) => !(object.kind === kind && object.metadata.name === name)));
  }

  with(object: KubernetesObject & object): Manifests {
    return new Manifests([...this.all, object]);
  }

  copy(): Manifests {
    return new Manifests(structuredClone(this.all));
  }
}

/** An object with pods. */
export interface Workload {
  readonly title: string;
  readonly kind: string;
  readonly name: string;
  readonly labels: Labels;
  readonly pod: IPodSpec;
}

interface PodTemplate {
  metadata?: { labels?: Labels };
  spec: IPodSpec;
}

/** Deployments, StatefulSets, Jobs and CronJobs. */
export function workloads(manifests: Manifests): Workload[] {
  const serving = ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) =>
    manifests.of<{ spec: { template: PodTemplate } }>(kind).map((object) => ({ object, pod: object.spec.template })),
  );
  const scheduled = manifests
    .of<{ spec: { jobTemplate: { spec: { template: PodTemplate } } } }>('CronJob')
    .map((object) => ({ object, pod: object.spec.jobTemplate.spec.template }));
  return [...serving, ...scheduled].map(({ object, pod }) => ({
    title: titleOf(object),
    kind: object.kind,
    name: object.metadata.name,
    labels: pod.metadata?.labels ?? {},
    pod: pod.spec,
  }));
}

/** Workloads whose pods serve until they are stopped. */
export const servers = (manifests: Manifests): Workload[] =>
  workloads(manifests).filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');

export function workload(manifests: Manifests, kind: string, name: string): Workload {
  const found = workloads(manifests).find((one) => one.kind === kind && one.name === name);
  if (found === undefined) throw new Error(`${kind}/${name} does not exist`);
  return found;
}

export const containersOf = ({ pod }: Workload): IPodSpec['containers'] => [
  ...(pod.initContainers ?? []),
  ...pod.containers,
];

export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** True when the label selector selects the labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return equal && matchExpressions.every((expression) => holds(expression, labels));
}

function holds({ key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number], labels: Labels) {
  const value = labels[key];
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  if (operator === 'Exists') return value !== undefined;
  return value === undefined;
}

export const readYaml = (text: string): Manifests =>
  new Manifests(parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject));

/** The committed objects; golden.spec.ts compares them with what kustomize builds. */
export const readGolden = (overlay: Overlay): Manifests => readYaml(readFileSync(goldenFile(overlay), 'utf8'));
