import { recordProgress } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { SiteDirectory } from '@lyceum/resource-server';
import { IdempotentCommands, iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CourseService } from '#src/courses/course.service.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { StudentService } from '#src/students/student.service.js';

interface Command {
  readonly site: string;
  readonly idempotency_key: string;
}

/** Does what storefronts report, by the services that the operator API calls: see docs/operate/storefront.md. */
@Injectable()
export class StorefrontCommands implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly sites: SiteDirectory,
    private readonly commands: IdempotentCommands,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly progress: ProgressService,
  ) {}

  onModuleInit(): void {
    this.requests.handleCommand(recordProgress, (command) =>
      this.#once(recordProgress.name, command, async (site, { student, course, occurred_at, ...step }, tx) => {
        const { id: student_id } = await this.students.referred(site, student);
        const { id: course_id } = await this.courses.referred(site, course);
        const given = { ...step, course_id, watched_at: new Date(occurred_at) };
        const { row, enrollment } = await this.progress.record(site, student_id, given, tx, '/occurred_at');
        return {
          enrollment_id: enrollment.id,
          lecture_id: row.lecture_id,
          position_seconds: row.position_seconds,
          watched_at: iso(row.watched_at),
          completion_rate: enrollment.completion_rate,
          completed_at: iso(enrollment.completed_at),
        };
      }),
    );
  }

  #once<C extends Command>(
    name: string,
    { site, idempotency_key: key, ...content }: C,
    work: (site: { readonly site_id: string }, content: Omit<C, keyof Command>, tx: EntityManager) => Promise<object>,
  ): Promise<unknown> {
    const { site_id } = this.#siteOf(site);
    return this.commands.run({ site_id, name, key, content }, (tx) => work({ site_id }, content, tx));
  }

  /** A suspended site looks like one that does not exist, as on every surface. */
  #siteOf(org_id: string): { readonly site_id: string } {
    if (!this.sites.loaded) throw new ApiError('temporarily_unavailable', 'The sites are not known yet');
    const site = this.sites.byOrgId(org_id);
    if (site?.state !== 'active') {
      throw new ApiError('not_found', 'There is no such site', {
        errors: [{ pointer: '/site', code: 'not_found', detail: 'No site of this deployment' }],
      });
    }
    return site;
  }
}
