import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import { together } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';

export interface AppliedStudent extends StateVersion {
  /** Null for a deleted and for an erased student. */
  readonly person_id: string | null;
}

interface StudentPosition extends StateVersion {
  readonly student_id: string;
  readonly site_id: string;
}

@Injectable()
export class StudentsRepository {
  /** Locks the student, also one without a row: two replicas with events of one student run one after the other. */
  async lock(manager: EntityManager, studentId: string): Promise<AppliedStudent | undefined> {
    const [, [row]] = await together([
      rows(manager, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`school_students ${studentId}`]),
      // Another statement, so that it sees what the transaction before wrote.
      rows<AppliedStudent>(
        manager,
        'SELECT person_id, epoch::float8 AS epoch, version FROM school_students WHERE student_id = $1 FOR UPDATE',
        [studentId],
      ),
    ]);
    return row;
  }

  /** Returns the person of a student of the site. */
  async personOf(manager: EntityManager, siteId: string, studentId: string): Promise<string | undefined> {
    const [row] = await rows<Pick<AppliedStudent, 'person_id'>>(
      manager,
      'SELECT person_id FROM school_students WHERE student_id = $1 AND site_id = $2 FOR SHARE',
      [studentId, siteId],
    );
    return row?.person_id ?? undefined;
  }

  /** True when another student of the site is this person too. */
  async isSomeoneElse(
    manager: EntityManager,
    student: { readonly student_id: string; readonly site_id: string; readonly person_id: string },
  ): Promise<boolean> {
    const found = await rows(
      manager,
      'SELECT 1 FROM school_students WHERE site_id = $1 AND person_id = $2 AND student_id <> $3 LIMIT 1',
      [student.site_id, student.person_id, student.student_id],
    );
    return found.length > 0;
  }

  /** False when a newer state was applied in the meantime. */
  async save(manager: EntityManager, student: StudentPosition & { readonly person_id: string }): Promise<boolean> {
    const written = await rows(
      manager,
      `INSERT INTO school_students AS s (student_id, site_id, person_id, version, epoch) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (student_id) DO UPDATE SET person_id = excluded.person_id,
              version = excluded.version, epoch = excluded.epoch
        WHERE (s.epoch, s.version) < (excluded.epoch, excluded.version) RETURNING student_id`,
      [student.student_id, student.site_id, student.person_id, student.version, student.epoch],
    );
    return written.length === 1;
  }

  /**
   * Stores the position of a deleted or erased student, who is no person any more, and returns the person of before.
   * Undefined when a newer state was applied in the meantime.
   */
  async unlink(
    manager: EntityManager,
    student: StudentPosition,
  ): Promise<Pick<AppliedStudent, 'person_id'> | undefined> {
    const [former] = await rows<Pick<AppliedStudent, 'person_id'>>(
      manager,
      `INSERT INTO school_students AS s (student_id, site_id, person_id, version, epoch) VALUES ($1, $2, NULL, $3, $4)
       ON CONFLICT (student_id) DO UPDATE SET person_id = NULL, version = excluded.version, epoch = excluded.epoch
        WHERE (s.epoch, s.version) < (excluded.epoch, excluded.version) RETURNING old.person_id`,
      [student.student_id, student.site_id, student.version, student.epoch],
    );
    return former;
  }
}
