import type { Cases, CreateOther } from '@lyceum/collections/conventions';
import { consultingCases } from './consulting-cases.js';
import { scopesOf } from './course-cases.js';
import { digitalProductCases } from './digital-product-cases.js';
import { eventCases } from './event-cases.js';
import { formCases } from './form-cases.js';
import { pageCases } from './page-cases.js';
import { peopleCases } from './people-cases.js';

interface Flat {
  readonly name: string;
  /** The member with the id of the parent. */
  readonly above: string;
  readonly scope: string;
  readonly actions?: readonly string[];
  /** See `Cases.exempt`. */
  readonly exempt?: readonly string[];
}

/** The facts of a collection below parents, for the same objects at a path without a parent. */
function flatCases(nested: Cases | undefined, { name, above, scope, actions = [], exempt = [] }: Flat): Cases {
  if (nested?.parent === undefined) throw new Error(`${name} has no parent`);
  const { parent, create, row, bodies = {}, item: _item, filters: _filters, search: _search, ...others } = nested;
  const { exempt: _exempt, ...facts } = others;
  /** The parent of the object that was made last. */
  let last = '';
  const newParent = async (unique: string, other: CreateOther): Promise<string> => {
    const made = parent.make?.(unique, other) ?? other(`/api/v1/${parent.collection}`, parent.create?.(unique) ?? {});
    const found = await made;
    last = typeof found === 'string' ? found : String(found['id']);
    await parent.fill?.(last, other);
    return last;
  };
  const below = Object.entries(bodies).map(([action, body]): [string, Exclude<Cases['bodies'], undefined>[string]] => [
    action,
    typeof body === 'function' ? (unique, other) => body(unique, other, last) : body,
  ]);
  return {
    ...facts,
    table: facts.table ?? name,
    readOnly: facts.readOnly.filter((member) => member !== above),
    ...(create && {
      create: async (unique, other) => {
        const id = await newParent(unique, other);
        return { ...(await create(unique, other, id)), [above]: id };
      },
      references: [...(facts.references ?? []), above],
      fixed: [...(facts.fixed ?? []), above],
    }),
    ...(row && { row: async (unique, other) => row(unique, other, await newParent(unique, other)) }),
    bodies: Object.fromEntries(below),
    scopes: scopesOf(name, scope, actions),
    exempt,
  };
}

/** Facts of the objects that have a path without their parent. */
export const flatPathCases: Readonly<Record<string, Cases>> = {
  slots: flatCases(consultingCases['consulting_services/slots'], {
    name: 'slots',
    above: 'consulting_service_id',
    scope: 'courses',
    actions: ['cancel'],
  }),
  consulting_purchases: flatCases(consultingCases['consulting_services/purchases'], {
    name: 'consulting_purchases',
    above: 'consulting_service_id',
    scope: 'students',
    actions: ['revoke'],
  }),
  consulting_bookings: flatCases(consultingCases['slots/bookings'], {
    name: 'consulting_bookings',
    above: 'slot_id',
    scope: 'students',
    actions: ['move', 'cancel', 'complete', 'no_show'],
    // It also counts at its purchase: consulting-bookings.spec.ts has both events.
    exempt: ['publishes exactly one event, and logs it once, with its actor: POST /api/v1/consulting_bookings'],
  }),
  digital_product_purchases: flatCases(digitalProductCases['digital_products/purchases'], {
    name: 'digital_product_purchases',
    above: 'digital_product_id',
    scope: 'digital_products',
    actions: ['revoke'],
  }),
  event_registrations: flatCases(eventCases['events/registrations'], {
    name: 'event_registrations',
    above: 'event_id',
    scope: 'events',
    actions: ['cancel', 'check_in', 'no_show'],
  }),
  event_tickets: flatCases(eventCases['events/tickets'], { name: 'event_tickets', above: 'event_id', scope: 'events' }),
  form_submissions: flatCases(formCases['forms/submissions'], {
    name: 'form_submissions',
    above: 'form_id',
    scope: 'forms',
  }),
  page_deployments: flatCases(pageCases['pages/deployments'], {
    name: 'page_deployments',
    above: 'page_id',
    scope: 'pages',
    actions: ['promote', 'roll_back'],
  }),
  progress: flatCases(peopleCases['students/progress'], { name: 'progress', above: 'student_id', scope: 'students' }),
};
