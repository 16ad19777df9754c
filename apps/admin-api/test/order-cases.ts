import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

const row = (unique: string, student_id: unknown): Json => ({
  number: unique,
  state: 'paid',
  student_id,
  currency: 'TWD',
  subtotal_minor: 100,
  discount_minor: 0,
  tax_minor: 0,
  total_minor: 100,
  source: 'checkout',
  item_types: ['course_plan'],
  paid_at: new Date().toISOString(),
});

/** Programs record orders, so the operator API has no creation. */
const orders: Cases = {
  row: async (unique, other) => row(unique, (await other('/api/v1/students', student(unique)))['id']),
  distinct: ['number'],
  readOnly: [],
  filters: {
    state: [({ state }) => state, 'expired'],
    student_id: [({ student_id }) => student_id, NONE],
    number: [({ number }) => number, 'none'],
    source: [({ source }) => source, 'none'],
    currency: [({ currency }) => currency, 'USD'],
    item_type: [({ item_types }) => (item_types as unknown[])[0], 'ticket'],
  },
  personal: true,
  unfenced: ADMINISTRATORS,
};

/** The student of each member, by member id. Both have the address of the person. */
const students = new Map<string, unknown>();

const newMember = async (unique: string, other: CreateOther): Promise<string> => {
  const email = `${unique}@example.com`;
  const { id } = await other('/api/v1/members', { email, roles: ['teaching_assistant'] });
  students.set(String(id), (await other('/api/v1/students', { email }))['id']);
  return String(id);
};

const purchases: Cases = {
  ...orders,
  row: (unique, _other, member_id) => Promise.resolve(row(unique, students.get(member_id))),
  table: 'orders',
  parent: { collection: 'members', make: newMember },
  scopes: { 'GET /api/v1/members/{member_id}/purchases': 'members:read' },
};

/** Facts of orders. */
export const orderCases: Readonly<Record<string, Cases>> = { orders, 'members/purchases': purchases };
