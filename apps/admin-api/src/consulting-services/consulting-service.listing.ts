import { pendingLines } from '#src/pending-orders/pending-lines.js';

/** The searched text, exactly as the index has it. */
export const CONSULTING_SERVICE_TEXT = `(name || ' ' || slug)`;

/** SQL condition: slots, purchases or pending orders refer to the service `$2` of the site `$1`. */
export const CONSULTING_SERVICE_IN_USE = `
  exists (select 1 from consulting_slots where site_id = $1 and consulting_service_id = $2)
  or exists (select 1 from consulting_purchases where site_id = $1 and consulting_service_id = $2)
  or ${pendingLines('= $2')}`;

/** SQL of the computed properties of a service. */
export const CONSULTING_SERVICE_PARTS = {
  lecturer_ids: `
    array(select t.lecturer_id from consulting_service_lecturers t
      where t.site_id = consulting_services.site_id and t.consulting_service_id = consulting_services.id
      order by t.position)`,
  lecturer: `
    (select json_build_object('lecturer_id', l.id, 'name', l.name)
      from consulting_service_lecturers t join lecturers l on l.site_id = t.site_id and l.id = t.lecturer_id
      where t.site_id = consulting_services.site_id and t.consulting_service_id = consulting_services.id
      order by t.position limit 1)`,
} as const;
