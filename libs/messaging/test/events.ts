import { courseEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { Outbox } from '../src/index.js';
import type { TestService } from './service.js';

export const SITE = '018f3b1e-0000-7000-8000-000000000001';

/** A course of the test, identified by `n`. */
export function course(n: number, name = `Course ${n}`) {
  return {
    course_id: courseId(n),
    site_id: SITE,
    slug: `course-${n}`,
    name,
    subtitle: null,
    image_url: null,
    state: 'published' as const,
    published_at: '2026-11-20T10:00:00.000Z',
  };
}

export function courseId(n: number): string {
  return `018f3b1e-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

/** Adds one event of a course to the transaction. */
export function addCourse(service: TestService, manager: EntityManager, n: number, version: number): Promise<void> {
  return service.get(Outbox).add(manager, courseEvents, 'updated', {
    aggregate_id: courseId(n),
    aggregate_version: version,
    site_id: SITE,
    data: course(n, `Course ${n} v${version}`),
  });
}

/** Publishes one event in its own transaction. */
export function publishCourse(service: TestService, n: number, version = 1): Promise<void> {
  return service.get(Outbox).transaction((manager) => addCourse(service, manager, n, version));
}
