import { erasedEmail } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedPerson } from '#src/members/erased-person.js';

/** Condition on a delivery `d`: its event is about a removed member, or the student of one. */
export const ABOUT_ERASED = `(
  exists (select from members m where m.site_id = d.site_id and m.id = d.object_id::uuid and m.email is null)
  or exists (
    select from students s where s.site_id = d.site_id and s.id = (d.data ->> 'student_id')::uuid
      and s.email like '%${erasedEmail('')}'))`;

/** Responses of receivers in the log of deliveries. They are texts of strangers, and can name people. */
@Injectable()
export class WebhookResponseRepository {
  /**
   * Erases the responses to events about a person, and those with one of the texts. Deliveries that are under way store
   * no response: each of them writes its queue, which the removal locks.
   */
  async erase(tx: EntityManager, { site_id, ids, texts }: ErasedPerson): Promise<void> {
    await tx.query(
      `with queue as (
         select endpoint_id from webhook_queues where site_id = $1 order by endpoint_id for no key update)
       update webhook_queues q set erased_at = clock_timestamp() from queue
       where q.site_id = $1 and q.endpoint_id = queue.endpoint_id`,
      [site_id],
    );
    await tx.query(
      `update webhook_deliveries d set response_body = null, version = d.version + 1, updated_at = now()
       where d.site_id = $1 and d.response_body is not null
         and (d.object_id = any($2::text[]) or d.data ->> 'student_id' = any($2::text[])
           or exists (select from unnest($3::text[]) known (text) where strpos(lower(d.response_body), known.text) > 0))`,
      [site_id, ids, texts.flatMap(spellingsOf)],
    );
  }
}

/** A text as bodies have it, in lower case: as it is, and with the characters that JSON can escape. */
function spellingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([text, escaped, ascii].map((one) => one.toLowerCase()))];
}
