import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import { accessOf } from './access.policy.js';
import type { Access, Grant } from './access.policy.js';
import type { EnrollmentSource, EnrollmentState } from './enrollment.policy.js';

@Entity('enrollments')
export class Enrollment extends SiteRow {
  @Column('uuid') student_id!: string;
  @Column('uuid') course_id!: string;
  /** The state at the last change. `accessAt` computes the state at an instant. */
  @Column('text') state!: EnrollmentState;
  @Column('text') source!: EnrollmentSource;
  @Column({ type: 'timestamptz', precision: 3 }) started_at!: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) expires_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) changes_at!: Date | null;
  /** Value at the last record of progress. */
  @Column('double precision') completion_rate!: number;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** True from the first progress on. A trigger of `progress` sets it. */
  @Column({ type: 'boolean', update: false, insert: false }) has_begun!: boolean;
  @Column({ type: 'text', nullable: true }) external_id!: string | null;
  @Column('jsonb') metadata!: Record<string, string>;
  /** Grows with each edit: the entity tag shows it. */
  @Column('int') revision!: number;
  /** The person of the student: read with the row, and no column. */
  person_id!: string | null;
  /** Read with the row as JSON, by their beginning. */
  grants!: readonly GrantJson[];
  /** The latest row of `progress`, read with the enrollment as JSON. */
  last_watched!: LastWatched | null;
}

interface LastWatched {
  readonly lecture_id: string;
  readonly lecture_title: string | null;
  readonly position_seconds: number;
  readonly watched_at: string;
}

/** A grant as PostgreSQL writes it in JSON. */
type GrantJson = {
  readonly [Member in keyof Grant]: Grant[Member] extends Date
    ? string
    : Grant[Member] extends Date | null
      ? string | null
      : Grant[Member];
};

export function grantsOf({ grants }: Pick<Enrollment, 'grants'>): readonly Grant[] {
  const date = (instant: string | null): Date | null => (instant === null ? null : new Date(instant));
  return grants.map(({ starts_at, ends_at, revoked_at, ...grant }) => ({
    ...grant,
    starts_at: new Date(starts_at),
    ends_at: date(ends_at),
    revoked_at: date(revoked_at),
  }));
}

/** Returns the grants in the form of a read, ordered by their start. */
export function grantsJson(grants: readonly Grant[]): readonly GrantJson[] {
  const sorted = grants.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime() || compare(a.id, b.id));
  return sorted.map(({ starts_at, ends_at, revoked_at, ...grant }) => ({
    ...grant,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  }));
}

const compare = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : 1);

/** The current access of an enrollment, even before the clock has updated the row. */
export function accessAt(row: Enrollment, now = new Date()): Access {
  return row.changes_at === null || row.changes_at > now ? row : accessOf(grantsOf(row), now);
}
