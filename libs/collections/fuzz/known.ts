import { isUuid } from '@lyceum/contracts';
import { SITES } from '../conventions/index.js';
import type { Cases, Json, Subject } from '../conventions/index.js';

type Operation = Subject['operations'][number];

/** Objects of each collection that exist at a site. */
const OBJECTS = 3;

/** Requests name one of the newest objects: older ones have been deleted or have ended. */
const NEWEST = 8;

export interface KnownPath {
  readonly path: string;
  /** The entity tag that the object had at first. */
  readonly tag: string;
}

/** Facts about an operation, by which requests find objects. */
export interface KnownOperation {
  /** Paths of objects that exist: at the first site, and at the second one. */
  readonly paths: readonly [here: KnownPath[], there: KnownPath[]];
  /** Bodies that the operation accepts. */
  readonly bodies: Json[];
  /** Members that no two objects share: a body needs new ones to be accepted again. */
  readonly unique: readonly string[];
}

/** Objects at two sites, which requests name. */
export class Known {
  readonly operations = new Map<string, KnownOperation>();
  readonly #ids = new Map<string, Set<string>>();

  /** Makes objects of all collections. */
  static async make(subjects: readonly Subject[]): Promise<Known> {
    const known = new Known();
    for (const subject of subjects) {
      subject.api.sendAsOne(subject.cases.own === true);
      for (const place of [0, 1] as const) await known.#makeAt(subject, place);
    }
    return known;
  }

  /** Ids of the first site that objects name by the member. */
  readonly idsOf = (member: string): readonly string[] => [
    ...(this.#ids.get(member) ?? new Set([...this.#ids.values()].flatMap((ids) => [...ids].slice(0, 1)))),
  ];

  /** One of the newest objects of a list that grows. */
  static newest(paths: readonly KnownPath[], place: number): KnownPath | undefined {
    return paths.at(-1 - (place % Math.min(NEWEST, paths.length)));
  }

  /** Adds the paths of an object that a request has created at the first site, by its URL. */
  add(location: string, tag: string): void {
    const created = new URL(location).pathname.split('/');
    for (const [name, { paths }] of this.operations) {
      const template = name.slice(name.indexOf(' ') + 1).split('/');
      const fits = created.every((segment, at) => template[at] === segment || template[at]?.startsWith('{'));
      const rest = template.slice(created.length);
      if (!fits || rest.some((segment) => segment.startsWith('{'))) continue;
      paths[0].push({ path: [...created, ...rest].join('/'), tag });
    }
  }

  async #makeAt(subject: Subject, place: 0 | 1): Promise<void> {
    const { cases, operations } = subject;
    for (let count = 0; count < OBJECTS; count += 1) {
      const made = await subject.make(SITES[place]);
      for (const operation of operations) {
        const { paths, bodies } = this.#of(operation, cases);
        paths[place].push({ path: subject.pathOf(operation, made), tag: made.etag });
        if (place !== 0) continue;
        const body =
          operation.kind === 'order'
            ? cases.order?.(made.object)
            : await subject.bodyOf(operation.kind, operation.action);
        if (body !== undefined) bodies.push(body);
      }
      if (place !== 0) continue;
      this.#collect(made.object);
      this.#collect({ [`${subject.name.split('/').at(-1)?.replace(/ies$/, 'y').replace(/s$/, '')}_id`]: made.id });
    }
  }

  #of({ name }: Operation, { unique = [] }: Cases): KnownOperation {
    const known = this.operations.get(name) ?? { paths: [[], []], bodies: [], unique };
    this.operations.set(name, known);
    return known;
  }

  #collect(object: unknown): void {
    if (typeof object !== 'object' || object === null) return;
    for (const [name, value] of Object.entries(object)) {
      for (const one of [value].flat()) {
        if (typeof one === 'object') this.#collect(one);
        if (typeof one !== 'string' || !isUuid(one)) continue;
        const member = name.replace(/_ids$/, '_id');
        this.#ids.set(member, (this.#ids.get(member) ?? new Set()).add(one));
      }
    }
  }
}
