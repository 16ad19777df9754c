import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import type { EntityEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { requireRoom, requireSameCourse } from './curriculum.policy.js';
import { SECTION_IN_USE } from './curriculum.repository.js';
import type { Place } from './curriculum.repository.js';
import { CurriculumService } from './curriculum.service.js';
import { eachInOrder, insertParts } from './many-parts.js';
import { Section } from './section.entity.js';
import { section as resource } from './section.schema.js';
import type { SectionCreate, SectionListQuery, SectionPatch } from './section.schema.js';

@Injectable()
export class SectionService {
  readonly #sections: SiteStore<Section, EntityEvents>;

  constructor(
    stores: SiteStores,
    private readonly curricula: CurriculumService,
  ) {
    this.#sections = stores.of({
      entity: Section,
      resource,
      fence: ofOwnCourses('course_id'),
      unique: { sections_external_id: 'external_id' },
      publishWith: (tx, rows, change) => this.curricula.publishParts(tx, 'section', rows, change),
    });
  }

  list(caller: Caller, query: SectionListQuery): Promise<Page<Section>> {
    return this.#sections.list(caller, query);
  }

  get(caller: Caller, id: string, tx?: EntityManager): Promise<Section> {
    return this.#sections.get(caller, id, {}, tx);
  }

  /** Returns the sections with these ids that the caller may see. */
  getAll(caller: Caller, ids: readonly string[], tx: EntityManager): Promise<ReadonlyMap<string, Section>> {
    return this.#sections.findAll(caller, ids, tx);
  }

  missing(): never {
    return this.#sections.missing();
  }

  async create(caller: Caller, input: SectionCreate, tx: EntityManager): Promise<Created<Section>> {
    const place = await this.#place(tx, caller, input.course_id);
    return this.#sections.insert(tx, caller, placed(input, place), 'created');
  }

  /** Creates many sections as `create` does, with one statement. */
  createAll(
    caller: Caller,
    items: readonly SectionCreate[],
    tx: EntityManager,
  ): Promise<readonly (Created<Section> | ApiError)[]> {
    return insertParts(items, {
      parentOf: ({ course_id }) => course_id,
      placesOf: (courses) =>
        eachInOrder(courses, async (course_id) => ({ ...(await this.#place(tx, caller, course_id)), course_id })),
      valuesOf: placed,
      insert: (list) => this.#sections.insertAll(tx, caller, list, 'created'),
    });
  }

  async patch(caller: Caller, key: Key, patch: SectionPatch, tx: EntityManager): Promise<Written<Section>> {
    await this.#lockCourse(tx, caller, key.id);
    return this.#sections.change(tx, caller, key, (section) => updated(section, patch));
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<SectionCreate, SectionPatch>): Promise<Created<Section>> {
    const place = await this.#place(tx, principal, body.course_id);
    return this.#sections.upsert(tx, principal, key, {
      create: () => placed(body, place),
      decide: (section) => {
        requireSameCourse(section, body);
        return updated(section, patch);
      },
    });
  }

  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Section>> {
    await this.#lockCourse(tx, caller, key.id);
    const error = new ApiError('resource_in_use', 'The section has lectures', {
      hint: 'Delete its lectures or move them to another section first',
    });
    return this.#sections.remove(tx, caller, key, { sql: SECTION_IN_USE, error });
  }

  /** Locks a course, and returns the position after its last section. */
  async #place(tx: EntityManager, caller: Caller, course_id: string): Promise<Place> {
    return this.curricula.sectionPlace(tx, await this.curricula.lock(tx, caller, course_id));
  }

  async #lockCourse(tx: EntityManager, caller: Caller, id: string): Promise<void> {
    const { course_id } = await this.#sections.get(caller, id, {}, tx);
    await this.curricula.lock(tx, caller, course_id);
  }
}

/** @throws `invalid_state` beyond `CURRICULUM_LIMITS` */
function placed(input: SectionCreate, { parts, position }: Place): SectionCreate & { position: number } {
  requireRoom('sections', parts);
  return { ...input, position };
}

function updated(section: Section, patch: SectionPatch) {
  const changes = changedColumns(section, patch, resource);
  return changes && { event: 'updated', changes };
}
