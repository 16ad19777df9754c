import type { Caller } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { shownActivity } from '#src/activity/activity.operations.js';
import { ActivityService } from '#src/activity/activity.service.js';
import { shownSubmission } from '#src/form-submissions/form-submission.operations.js';
import { FormSubmissionService } from '#src/form-submissions/form-submission.service.js';
import { shownMember } from '#src/members/member.operations.js';
import { MemberService } from '#src/members/member.service.js';
import { shownOrder } from '#src/orders/order.operations.js';
import { OrderService } from '#src/orders/order.service.js';
import type { AtRequest, ExportRequest, Source } from './export.source.js';
import { listSource } from './list.source.js';
import { ORDER_LINES } from './order.lines.js';

/** The collections that only owners and admins read. */
@Injectable()
export class AdministratorSources {
  readonly sources: Readonly<Record<'orders' | 'members' | 'activity' | 'form_submissions', Source>>;

  constructor(
    orders: OrderService,
    members: MemberService,
    activity: ActivityService,
    private readonly submissions: FormSubmissionService,
  ) {
    const submissionList = listSource({
      forAdministrators: true,
      shown: shownSubmission,
      more: ['form_id'],
      list: (caller, query, { form_id }) => submissions.list(caller, query, { form_id: form_id ?? '' }),
    });
    this.sources = {
      orders: listSource({
        forAdministrators: true,
        shown: shownOrder,
        lines: ORDER_LINES,
        list: (caller, query) => orders.list(caller, query),
      }),
      members: listSource({
        forAdministrators: true,
        shown: shownMember,
        list: (caller, query) => members.list(caller, query),
      }),
      activity: listSource({
        forAdministrators: true,
        shown: shownActivity,
        list: ({ site_id, roles = [] }, query) => activity.list({ site_id, roles }, query),
      }),
      form_submissions: {
        ...submissionList,
        atRequest: (caller, request, tx) => this.#withFields(caller, request, submissionList.columns, tx),
      },
    };
  }

  /** Each field of the form is a column. @throws `validation_failed` without a form of the site */
  async #withFields(
    caller: Caller,
    { filters: { form_id } }: ExportRequest,
    columns: readonly string[],
    tx: EntityManager,
  ): Promise<AtRequest> {
    const fields = form_id === null ? undefined : await this.submissions.fieldsOf(caller, form_id, tx);
    if (fields === undefined) {
      const code = form_id === null ? 'required' : 'not_found';
      throw new ApiError('validation_failed', 'Submissions are exported form by form', {
        errors: [{ pointer: '/filters/form_id', code, detail: 'The id of a form of the site' }],
      });
    }
    const answers = fields.map(({ key }) => `answers.${key}`);
    return { columns: columns.flatMap((column) => (column === 'answers' ? answers : [column])) };
  }
}
