import { asBigint, asInstant, asList, asPlain, asText, asWord } from '@lyceum/rest';
import type { LineColumns } from '@lyceum/rest';

export const ORDER_LINES: LineColumns = {
  from: `(select s.name as buyer_name, s.email as buyer_email from students s
    where s.site_id = $1 and s.id = orders.student_id) buyer`,
  columns: {
    id: asWord('id'),
    number: asText('number'),
    state: asWord('state'),
    student_id: asWord('student_id'),
    buyer_name: asText('buyer_name'),
    buyer_email: asText('buyer_email'),
    currency: asText('currency'),
    subtotal_minor: asBigint('subtotal_minor'),
    discount_minor: asBigint('discount_minor'),
    tax_minor: asBigint('tax_minor'),
    tax_included: asPlain('tax_included'),
    total_minor: asBigint('total_minor'),
    refunded_minor: asBigint('refunded_minor'),
    coupon_code: asText('coupon_code'),
    payment_method: asText('payment_method'),
    source: asText('source'),
    subscription_id: asWord('subscription_id'),
    item_types: asList('item_types'),
    paid_at: asInstant('paid_at'),
    refunded_at: asInstant('refunded_at'),
    created_at: asInstant('created_at'),
    updated_at: asInstant('updated_at'),
  },
};
